"""Words of the invented records that `made_references` prints; all compiled for this project."""

from __future__ import annotations

# ruff: noqa: SIM905, E501, RUF005 - tables

FAMILIES = (
    "Müller Schmidt Weber Becker Schäfer Bauer Richter Wolf Neumann Zimmermann Krüger Hartmann Lange Krause Lehmann "
    "Huber Mayer Fuchs Peters Lang Scholz Möller Weiß Jung Hahn Vogel Friedrich Keller Günther Berger Winkler Roth "
    "Beck Lorenz Baumann Franke Albrecht Simon Ludwig Böhm Winter Kraus Martin Schumacher Krämer Vogt Stein Jäger Otto "
    "Sommer Groß Seidel Heinrich Brandt Haas Schreiber Graf Dietrich Ziegler Kuhn Pohl Engel Horn Busch Bergmann "
    "Smith Jones Taylor Brown Williams Wilson Johnson Davies Robinson Wright Thompson Evans Walker White Roberts Green "
    "Hall Wood Jackson Clarke Clark Harris Lewis Young Hill King Baker Allen Moore Carter Cooper Ward Turner Hughes "
    "Nguyen Tran Zhang Wang Li Liu Chen Yang Zhao Huang Wu Zhou Kim Park Lee Choi Sato Suzuki Tanaka Ito Yamamoto "
    "García Martínez López Sánchez Pérez Gómez Fernández Silva Santos Oliveira Souza Pereira Costa Almeida Nascimento "
    "Dubois Moreau Laurent Lefebvre Leroy Roux Fontaine Rousseau Mercier Blanc Girard Rossi Ferrari Bianchi Romano "
    "Ricci Marino Greco Conti Novák Svoboda Kowalski Nowak Ivanov Petrov Sidorov Jensen Nielsen Hansen Andersson "
    "Johansson Virtanen Papadopoulos Özdemir Yılmaz Kaya Rao Sharma Gupta Patel Singh Das Cohen Levy Haddad"
).split() + [
    "Van Loan",
    "van der Berg",
    "de la Cruz",
    "Castro Neto",
    "von Hagen",
    "El-Sayed",
    "O'Neill",
    "de Souza",
    "García-López",
]
NAME_HEADS = "Ba Be Bo Bran Cal Car Da Del Dor Fer Gal Gar Ger Hal Har Hol Jan Kar Kel Kov La Lin Mal Mar Mel Mor Na Ni Or Pal Pe Ra Rom Sal Schwar Sel Ser Sta Ste Tam Tor Val Var Ver Wal Wei Wer Za Zim".split()
NAME_TAILS = "bach berg ber court dal den dini dorf field gard hausen herr hofer hoff ier kamp ketti land ler ling lli mann man mar mond nard nell nov ov otti quist rand rell ren rick ridge sen ser sky son stedt stein ston tano ter ton tti vic ville witz worth zer".split()
GIVEN = (
    "Hans Eva Karl Anna Peter Ursula Klaus Monika Jürgen Renate Wolfgang Ingrid Dieter Sabine Thomas Petra Stefan "
    "Andrea Michael Susanne Ulrich Bettina Rainer Claudia Bernd Katharina Matthias Julia Christian Barbara John Mary "
    "James Patricia Robert Jennifer David Linda William Elizabeth Richard Susan Joseph Jessica Charles Sarah Daniel "
    "Karen Paul Nancy Mark Lisa George Helen Kenneth Sandra Steven Donna Edward Carol Brian Ruth Wei Jing Xin Yan Min "
    "José Maria Carlos Ana Luis Carmen Pedro Lucia João Beatriz Pierre Marie Jean Sophie Luc Claire Marco Giulia Paolo "
    "Francesca Ivan Olga Lars Ingrid Mehmet Ayşe Ravi Priya"
).split()
DE_HEAD = (
    "Politik Bildung Gesellschaft Forschung Entwicklung Geschichte Theorie Analyse Kultur Wirtschaft Arbeit Sprache "
    "Ordnung Planung Verwaltung Soziologie Philosophie Praxis Methode Krise Reform Struktur Bewegung Erziehung Medien "
    "Statistik Beratung Integration Familie Jugend Technik Literatur Wissenschaft Region Demokratie Organisation"
).split()
DE_STEM = (
    "Bildungs Sozial Arbeits Kultur Stadt Jugend Wirtschafts Frauen Gesundheits Umwelt Verkehrs Medien Schul Hochschul "
    "Alters Raum Verwaltungs Agrar Energie Kommunal Sprach Migrations Europa Nachkriegs Industrie Handels Bevölkerungs"
).split()
DE_ADJ = (
    "neue soziale politische empirische qualitative moderne historische vergleichende kritische öffentliche deutsche "
    "europäische ländliche berufliche kulturelle institutionelle regionale"
).split()
DE_SUB = (
    "Eine Einführung|Ein Überblick|Erinnerungen|Theorie und Praxis|Ein Handbuch|Eine Fallstudie|Ergebnisse einer "
    "Befragung|Grundlagen, Methoden, Anwendungen|Eine empirische Untersuchung|Zur Kritik der {b}|Studien zur {a}|"
    "Probleme, Befunde und Perspektiven|Beiträge zur {a}|Anleitungen für die {a}|Ein Lehrbuch|Festschrift für {name}|"
    "Eine {adj} {a} des 19. Jahrhunderts|Die {adj} {a} 1945 bis 1989|Versuch über {a} und {b}|Texte und Dokumente|"
    "Grundriß der {adj}n {a}|Zwischen {a} und {b}|Aus dem Leben einer {a}|Von der {a} zur {b}|Gutachten zum 8. "
    "Deutschen {a}stag|Bericht an die Kommission|Expertise im Auftrag der {a}|Ambivalenzen der {a}|Mit einem Vorwort von {name}"
).split("|")
DE_MAIN = (
    "Die {adj} {a}|{a} und {b}|{a} in der {adj}n {b}|Zur {a} der {b}|{a}, {b} und {c}|Wie {adj} ist die {a}?|Das Ende "
    "der {a}|{a} im Wandel|Soziologie der {a}|Über {a} und {b}|{a} – {b} – {c}|Der Weg zur {a}|Auf der Suche nach {a}|"
    "{a} in Deutschland 1990-2005|Grundzüge der {adj}n {a}|Handbuch {a}|Was heißt {a}?|{a}|Kritik der {a}|Die {a} der "
    "{b} in der {c} Deutschlands"
).split("|")
EN_NOUN = (
    "history theory structure learning networks systems policy language growth dynamics memory models climate cells "
    "society politics reading religion culture markets energy behaviour design evolution control surfaces galaxies "
    "proteins education inference imagination empire labour gender justice identity knowledge violence nature"
).split()
EN_ADJ = (
    "modern social stochastic early comparative rural quantum statistical public visual critical neural American "
    "medieval functional applied political optimal cognitive linear urban colonial global"
).split()
EN_MAIN = (
    "The {adj} {a} of {b}|{A} and {b}|{A}, {b}, and {c}|A {adj} {a}|On {adj} {a}|Introduction to {adj} {a}|{A} of {b} in "
    "{adj} {c}|Is {a} {adj}?|Toward a {adj} {a} of {b}|{Adj} {a}|The {a} of {b}|Handbook of {adj} {a}|{A} in the age of "
    "{b}|{A}, {b} and {adj} {c}, 1560-1640|Why {a} matters for {b}|{Adj} {a} for {b} with {c}|Estimating {adj} {a} from {b}"
).split("|")
EN_SUB = (
    "A {adj} introduction|The {a} of {b}|{A} and {b} in {c}|An essay on {a}|Essays in {adj} {a}|From {a} to {b}|A study of "
    "{a}|{A}, {b}, and {c}|Lessons from {adj} {a}|With applications to {a} and {b}|A review"
).split("|")
FR = (
    "La {a} de la {b}|Histoire de la {a}|Les {a}s et la {b}|{A} et {b} en France|L'invention de la {a}|Pour une {a} de la "
    "{b}|De la {a} à la {b}|Essai sur la {a}"
).split("|")
FR_NOUN = (
    "société culture langue mémoire politique ville pensée nature lecture justice démocratie technique vie".split()
)
ES = (
    "La {a} de la {b}|Historia de la {a}|{A} y {b} en América|Hacia una {a} de la {b}|El problema de la {a}|{A} e "
    "identidad|Estudios sobre {a}"
).split("|")
ES_NOUN = (
    "sociedad cultura lengua memoria política ciudad educación naturaleza lectura justicia economía ciencia".split()
)
PT = (
    "A {a} da {b}|História da {a}|{A} e {b} no Brasil|Para uma {a} da {b}|O problema da {a}: um estudo de {b}|{A} na {b}|"
    "Avaliação da {a} e da {b}: revisão"
).split("|")
PT_NOUN = (
    "sociedade cultura língua memória informação cidade educação natureza leitura justiça economia ciência".split()
)
ZH_WORDS = "基于 网络 语言 模型 研究 方法 分析 系统 数据 图像 识别 知识 信息 理论 学习 检测 结构 设计 优化 应用 社会 经济 教育 材料".split()
ZH_NAMES = "张伟 王芳 李娜 刘洋 陈静 杨明 赵磊 黄丽 周杰 吴敏 徐强 孙悦 胡军 朱琳 高飞 林涛 何平 郭亮 马超 罗兰".split()
ZH_JOURNALS = "计算机学报 软件学报 中国科学 物理学报 自动化学报 电子学报 经济研究 社会学研究 图书情报工作".split()
CITIES = (
    "Berlin|München|Frankfurt am Main|Frankfurt a. M.|Frankfurt/M.|Köln|Hamburg|Stuttgart|Leipzig|Wiesbaden|Opladen|"
    "Weinheim|Göttingen|Tübingen|Bonn|Wien|Zürich|Bern|Basel|Heidelberg|Bielefeld|Münster|Paderborn|Darmstadt|Reinbek bei "
    "Hamburg|Baden-Baden|Weinheim/Basel|Berlin/New York|Frankfurt am Main/New York|Düsseldorf|Freiburg|Konstanz|Hannover|"
    "Mannheim|Nürnberg|Dresden|Essen|Dortmund|Kassel|Marburg|Gießen|Osnabrück|Bremen|Innsbruck|Salzburg|Graz"
).split("|")
CITIES_EN = (
    "London|New York|Cambridge|Oxford|Chicago|Princeton, NJ|Cambridge, MA|Berkeley|New Haven|Boston|Amsterdam|Dordrecht|"
    "New York, NY, USA|Thousand Oaks, CA|Geneva|Washington, DC|Philadelphia|Toronto|Sydney|Hoboken, NJ|Boca Raton|Leiden|"
    "Edinburgh|Baltimore|Bloomington|South Bend, IN|Englewood Cliffs, NJ|Durham|Stanford"
).split("|")
CITIES_ROM = "Paris|Madrid|Barcelona|Lisboa|São Paulo|Rio de Janeiro|Milano|Roma|Bologna|Torino|Lyon|México|Buenos Aires|Brasília".split(
    "|"
)
PRESS = (
    "Suhrkamp|Beck|Campus|Springer|VS Verlag für Sozialwissenschaften|Westdeutscher Verlag|Leske + Budrich|Nomos|Juventa|"
    "Beltz|de Gruyter|Rowohlt|Fischer|Klett-Cotta|transcript|Peter Lang|Waxmann|Mohr Siebeck|Vandenhoeck & Ruprecht|UVK|"
    "Kohlhammer|Oldenbourg|Reclam|Piper|Hanser|Duncker & Humblot|Eigenverlag|Nord Verlag"
).split("|")
PRESS_EN = (
    "Oxford University Press|Cambridge University Press|Springer|Wiley|Routledge|MIT Press|Elsevier|Academic Press|Sage|"
    "Princeton University Press|University of Chicago Press|Harvard University Press|Penguin|North-Holland|CRC Press|"
    "World Scientific|Palgrave Macmillan|Yale University Press|McGraw-Hill|Dover|Addison-Wesley|Prentice Hall|Brill|Blackwell"
).split("|")
PRESS_ROM = "Gallimard|Seuil|PUF|Flammarion|Alianza|Siglo XXI|Ariel|Cortez|Vozes|Il Mulino|Einaudi|Polis|Almedina|Minuit|La Découverte".split(
    "|"
)
JOURNALS_DE = (
    "Zeitschrift für {a}|Kölner Zeitschrift für {a} und {b}|{a} und {b}|Archiv für {a}|{a} heute|Soziale Welt|Leviathan|"
    "Aus Politik und Zeitgeschichte|Das Argument|Die Zeit|Der Spiegel|Jahrbuch für {a}|{a}|Blätter für {adj} {a}|WSI-Mitteilungen"
).split("|")
JOURNALS_EN = (
    "Journal of {Adj} {A}|{A} and {B}|{Adj} {A} Review|Annals of {A}|The {A} Quarterly|{A}|Nature|Science|Cell|PLoS ONE|"
    "{Adj} {A} Letters|International Journal of {A}|Transactions on {A}|Critical {A}|Proceedings of the National Academy of Sciences"
).split("|")
JOURNALS_SHORT = (
    "Phys. Rev. Lett.|Phys. Rev. B|Phys. Rev. D|J. Chem. Phys.|Nucl. Phys. B|Phys. Lett. B|J. Am. Chem. Soc.|Angew. Chem., "
    "Int. Ed.|Chem. Rev.|J. Phys. Chem. B|Inorg. Chem.|Org. Lett.|Appl. Phys. Lett.|Rev. Mod. Phys.|Ann. Phys. (N.Y.)|"
    "Nature (London)|Science|Nature|Europhys. Lett.|J. Phys.: Condens. Matter|Nano Lett.|Macromolecules|Chem. Commun.|"
    "Dalton Trans.|J. Org. Chem.|Tetrahedron Lett.|J. Appl. Phys.|New J. Phys.|Opt. Express|Eur. Phys. J. C|JHEP|Nat. Phys.|"
    "Proc. Natl. Acad. Sci. U.S.A.|Acc. Chem. Res.|Adv. Mater.|Phys. Chem. Chem. Phys.|Z. Phys.|J. Catal."
).split("|")
ASTRO = "MNRAS|ApJ|A&A|AJ|ApJS|ARA&A|PASP|Nature|ApJL|PASJ|SSRv|Icarus|A&AS|PhRvD|Sci|NewA".split("|")
