"""Titles: what is excused has a name, everything else is another title."""

from __future__ import annotations

import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from citeaudit.text.titles import Likeness, compare_titles, distance, is_generic, translations, undecorated

TITLES = st.one_of(
    st.text(max_size=60),
    st.lists(
        st.sampled_from(["Graph", "deep", "networks", "network", "of", "the", "non", "iid", "2019", "α", ":", "-"]),
        max_size=9,
    ).map(" ".join),
)


@pytest.mark.parametrize(
    ("claimed", "recorded", "likeness"),
    [
        pytest.param("State of the art", "State-of-the-Art.", Likeness.EQUAL, id="hyphens-case-stop"),
        pytest.param("Über Größen", "Uber Grossen", Likeness.EQUAL, id="marks"),
        pytest.param("Tips & tricks for all", "Tips and tricks for all", Likeness.EQUAL, id="ampersand"),
        pytest.param("Tips &amp;amp; tricks for all", "Tips and tricks for all", Likeness.EQUAL, id="entities"),
        pytest.param("TNF-α in disease", "TNF-alpha in disease", Likeness.EQUAL, id="greek-letter"),
        pytest.param(r"On $\varepsilon$-nets and ε-boxes", "On epsilon-nets and ε-boxes", Likeness.EQUAL, id="macro"),
        pytest.param("The <i>Escherichia</i> way", "The Escherichia way", Likeness.EQUAL, id="markup"),
        pytest.param("RETRACTED: A growth of cells", "A growth of cells", Likeness.EQUAL, id="retracted-label"),
        pytest.param("A planner (Extended Abstract)", "A planner", Likeness.EQUAL, id="decoration"),
        pytest.param("[On the growth of trees]", "On the growth of trees", Likeness.EQUAL, id="translated"),
        pytest.param("Multi view learning", "Multiview learning", Likeness.EQUAL, id="joined"),
        pytest.param("Demystifying enclaves", "Demystifying enclaves: A survey", Likeness.CUT, id="subtitle-left-out"),
        pytest.param("Demystifying enclaves: A survey", "Demystifying enclaves", Likeness.CUT, id="subtitle-added"),
        pytest.param(
            "Learning to read long texts", "LeRo: Learning to read long texts", Likeness.CUT, id="heading-left-out"
        ),
        pytest.param("Who is in control? On agency", "Who is in control", Likeness.CUT, id="question-mark"),
        pytest.param("Trees and soil", "Trees and soil — a review", Likeness.CUT, id="dash"),
        pytest.param(
            "BERT", "BERT: Pre-training of deep bidirectional transformers", Likeness.OTHER, id="catch-word-alone"
        ),
        pytest.param("Learning the shape of things", "Learning shape of things", Likeness.ARTICLES, id="article"),
        pytest.param(
            "Learning with a neural network", "Learning with neural networks", Likeness.PLURAL, id="article-and-plural"
        ),
        pytest.param("Attacks on neural network", "Attacks on neural networks", Likeness.PLURAL, id="plural"),
        pytest.param("Optimisation of trees", "Optimization of trees", Likeness.SPELLING, id="spelling"),
        pytest.param(
            "Multi objective optimisation", "Multiobjective optimization", Likeness.SPELLING, id="joined-and-spelling"
        ),
        pytest.param("On the Schroedinger way", "On the Schrödinger way", Likeness.SPELLING, id="umlaut"),
        pytest.param("Two ways to part trees", "2 ways to part trees", Likeness.SPELLING, id="number-in-words"),
        pytest.param("Growth of trees, part II", "Growth of trees, part 2", Likeness.SPELLING, id="roman"),
        pytest.param(
            "Regularized Rnyi divergences", "Regularized Rényi divergences", Likeness.SPELLING, id="lost-mark"
        ),
        pytest.param(
            "Regularized Rnyi divergence", "Regularized Rényi divergences", Likeness.OTHER, id="lost-and-more"
        ),
        pytest.param("Trained trees in the wild", "Training trees in the wild", Likeness.INFLECTED, id="inflected"),
        pytest.param("A study of the soil", "Studies of soils", Likeness.INFLECTED, id="inflected-and-plural"),
        pytest.param("Trees in the soil of hills", "Trees of the soil on hills", Likeness.SMALL, id="small-words"),
        pytest.param("Trees that grow and die", "Trees which grow and die", Likeness.SMALL, id="that-which"),
        pytest.param("Trees with the soil", "Trees without soil", Likeness.OTHER, id="without"),
        pytest.param("Growth and -means of trees", "Growth and k-means of trees", Likeness.FORMULA, id="formula-gap"),
        pytest.param(
            r"Growth with \(\) regret", r"Growth with \(\sqrt{T}\) regret", Likeness.FORMULA, id="formula-empty"
        ),
        pytest.param(r"Sums of \(_1\) norms", "Sums of l1 norms", Likeness.FORMULA, id="formula-sign"),
        pytest.param("Growth and means of trees", "Growth and k-means of trees", Likeness.OTHER, id="formula-no-gap"),
        pytest.param("Growth and -means", "Growth and tree-means", Likeness.OTHER, id="formula-word-lost"),
        pytest.param("Sums in $O(n^2)$ time", "Sums in $O(n^3)$ time", Likeness.OTHER, id="formula-differs"),
        pytest.param("Sums in $O(n)$ deep time", "Sums in $O(n)$ time", Likeness.OTHER, id="formula-elsewhere"),
        pytest.param("The 5 × 2 test of trees", "The 5 x 2 test of trees", Likeness.EQUAL, id="times"),
        pytest.param("Seeing 360° of trees", "Seeing 360 of trees", Likeness.EQUAL, id="degrees"),
        pytest.param("Growth vs. decay of trees", "Growth versus decay of trees", Likeness.SPELLING, id="versus"),
        pytest.param("Heterogenous soils of hills", "Heterogeneous soils of hills", Likeness.SPELLING, id="misspelt"),
        pytest.param("Recogniton of trees", "Recognition of trees", Likeness.DAMAGED, id="letter-lost"),
        pytest.param("Leaming from trees", "Learning from trees", Likeness.DAMAGED, id="rn-read-as-m"),
        pytest.param(
            "Recogn- iton of old trees", "Recognition of old trees", Likeness.DAMAGED, id="broken-and-damaged"
        ),
        pytest.param("Recogn- ition of trees", "Recognition of trees", Likeness.EQUAL, id="broken"),
        pytest.param("Inductive learning of trees", "Deductive learning of trees", Likeness.OTHER, id="words"),
        pytest.param("Causal trees in the soil", "Casual trees in the soil", Likeness.OTHER, id="words-one-letter"),
        pytest.param("Domain adaption of trees", "Domain adoption of trees", Likeness.OTHER, id="words-long"),
        pytest.param("Weak trees in the soil", "Week trees in the soil", Likeness.OTHER, id="words-short"),
        pytest.param("Attacks on DeepWalk at night", "Attacks on DeepTalk at night", Likeness.OTHER, id="names"),
        pytest.param("attacks on deepwalk at night", "Attacks on DeepTalk at night", Likeness.OTHER, id="name-of-one"),
        pytest.param("attacks on deepwalk at night", "attacks on deeptalk at night", Likeness.DAMAGED, id="no-names"),
        pytest.param("Attacks on GAN at night", "Attacks on GANs at night", Likeness.PLURAL, id="names-plural"),
        pytest.param("Growth in two seasons", "Growth in three seasons", Likeness.OTHER, id="number-word"),
        pytest.param("First trees of a hill", "Second trees of a hill", Likeness.OTHER, id="ordinal"),
        pytest.param("A {B}ayes view of {{BERT}}", "A Bayes view of BERT", Likeness.EQUAL, id="braces"),
        pytest.param(r"A view of {\sc bert} at work", "A view of BERT at work", Likeness.EQUAL, id="small-caps"),
        pytest.param(r"A view of \textsc{bert} at work", "A view of BERT at work", Likeness.EQUAL, id="textsc"),
        pytest.param(
            "Uses of CO<sub>2</sub> and H<sub>2</sub>O", "Uses of CO2 and H₂O", Likeness.EQUAL, id="subscript"
        ),
        pytest.param("Uses of $\\mathrm{CO}_2$ in soil", "Uses of CO2 in soil", Likeness.EQUAL, id="subscript-latex"),
        pytest.param(
            "Uses of <mml:math><mml:mi>α</mml:mi></mml:math>-soil", "Uses of alpha-soil", Likeness.EQUAL, id="mathml"
        ),
        pytest.param(
            "Uses of &amp;lt;i&amp;gt;soil&amp;lt;/i&amp;gt;", "Uses of soil", Likeness.EQUAL, id="entities-tag"
        ),
        pytest.param("Uses of 𝛼-𝐬𝐨𝐢𝐥", "Uses of alpha-soil", Likeness.EQUAL, id="math-letters"),
        pytest.param("{A PLANNER (EXTENDED ABSTRACT)}.", "A planner", Likeness.EQUAL, id="braces-and-decoration"),
        pytest.param("Trees and soil (with a view)", "Trees and soil", Likeness.CUT, id="parenthesis"),
        pytest.param(
            "Learning to plant trees: pine, oak and many other kinds of a forest in some hills far away",
            "Learning to plant trees",
            Likeness.CUT,
            id="telling-head",
        ),
        pytest.param(
            "Learning of trees: pine, oak and many other kinds of a forest in some hills far away",
            "Learning of trees",
            Likeness.OTHER,
            id="head-not-telling",
        ),
        pytest.param(
            "Das Wachstum der Bäume [The growth of the trees]",
            "The growth of the trees",
            Likeness.CUT,
            id="original-and-translation",
        ),
        pytest.param(
            "Das Wachstum der Bäume = The growth of the trees",
            "Das Wachstum der Bäume",
            Likeness.CUT,
            id="original-equals-translation",
        ),
        pytest.param("Deep learning from non-iid data", "Deep learning from iid data", Likeness.OTHER, id="negation"),
        pytest.param("Unsupervised parsing of text", "Supervised parsing of text", Likeness.OTHER, id="un"),
        pytest.param("Fraud in the year 2019", "Fraud in the year 2021", Likeness.OTHER, id="number"),
        pytest.param("On things to do", "On things not to do", Likeness.OTHER, id="not"),
        pytest.param("Quite another subject", "An unrelated matter altogether", Likeness.OTHER, id="unrelated"),
        pytest.param("图神经网络", "图神经网络", Likeness.EQUAL, id="chinese"),
        pytest.param("图神经网络的研究与应用", "圖神經網絡的研究與應用", Likeness.EQUAL, id="chinese-traditional"),
        pytest.param("图神经网络 的研究", "图神经网络的研究", Likeness.EQUAL, id="chinese-spaced"),
        pytest.param("图神经网络的研究：综述", "图神经网络的研究", Likeness.CUT, id="chinese-subtitle"),
        pytest.param("遥感图像作物分割方法的研究", "遥感图像作物识别方法的研究", Likeness.OTHER, id="chinese-word"),
        pytest.param("遥感图像作物识别方法的研究", "遥感图像作物识别方法", Likeness.OTHER, id="chinese-word-more"),
        pytest.param("温室大棚安全监测方法研究", "温室大棚全监测方法研究", Likeness.OTHER, id="chinese-no-article"),
        pytest.param("作物病害到底是什么的综述", "作物病害到底是什麽的综述", Likeness.DAMAGED, id="chinese-variant"),
        pytest.param("有监督学习在农业中的应用", "无监督学习在农业中的应用", Likeness.OTHER, id="chinese-negation"),
        pytest.param("农田图像识别", "农田图像辨别", Likeness.OTHER, id="chinese-short"),
        pytest.param("強化学習による作物認識", "深層学習による作物認識", Likeness.OTHER, id="japanese-word"),
        pytest.param(
            "การศึกษาการเรียนรู้เชิงลึกสำหรับการเกษตร", "การศึกษาการเรียนรู้เสริมกำลังสำหรับการเกษตร", Likeness.OTHER, id="thai-word"
        ),
        pytest.param("!!!", "!!!", Likeness.EQUAL, id="no-letters"),
        pytest.param("!!!", "???", Likeness.OTHER, id="no-letters-differ"),
        pytest.param("Ελληνική γλώσσα", "Ελληνικη γλωσσα", Likeness.EQUAL, id="greek-text"),
    ],
)
def test_likeness_is_named(claimed: str, recorded: str, likeness: Likeness) -> None:
    assert compare_titles(claimed, recorded).likeness is likeness
    assert compare_titles(recorded, claimed).likeness is likeness


@pytest.mark.parametrize(
    ("claimed", "recorded", "differences"),
    [
        pytest.param(
            "Attacks against graph neural networks",
            "Attacks against deep neural networks",
            ("graph -> deep",),
            id="word",
        ),
        pytest.param("Under iid client data", "Under non-iid client data", ("left out: non",), id="left-out"),
        pytest.param(
            "Off-diagonal book Ramsey numbers", "Off-diagonal Ramsey numbers", ("not in the record: book",), id="added"
        ),
        pytest.param("Rates in 2019 and beyond", "Rates in 2021 and beyond", ("2019 -> 2021",), id="number"),
        pytest.param("Causal trees of soil", "Casual trees of soil", ("causal -> casual",), id="one-letter"),
        pytest.param("Attacks on DeepWalk", "Attacks on DeepTalk", ("deepwalk -> deeptalk",), id="name"),
    ],
)
def test_differences_are_readable(claimed: str, recorded: str, differences: tuple[str, ...]) -> None:
    diff = compare_titles(claimed, recorded)
    assert diff.differences == differences
    assert diff.changed == 1


def test_excused_words_are_shown_and_change_nothing() -> None:
    diff = compare_titles("Optimisation of deep trees by recogniton", "Optimization of wide tree by recognition")
    assert diff.likeness is Likeness.OTHER
    assert diff.differences == ("optimisation -> optimization", "deep trees -> wide tree", "recogniton -> recognition")
    assert diff.changed == 1
    letters = len("optimisationofdeeptreesbyrecogniton") + len("optimizationofwidetreebyrecognition")
    assert diff.distance == pytest.approx((2 + 8 + 2 + 2) / letters)


@pytest.mark.parametrize(
    ("title", "expected"),
    [
        pytest.param("Eins zwei [One two].", ("Eins zwei", "One two"), id="brackets"),
        pytest.param("Eins zwei [One two]", ("Eins zwei", "One two"), id="no-stop"),
        pytest.param(" Eins = One", ("Eins", "One"), id="equals"),
        pytest.param("[One two].", (), id="translation-only"),
        pytest.param("Eins [sic] zwei", (), id="inside"),
        pytest.param("E=mc2", (), id="equation"),
        pytest.param("A = B = C", (), id="equations"),
        pytest.param("", (), id="empty"),
    ],
)
def test_translations_stand_beside_the_title(title: str, expected: tuple[str, ...]) -> None:
    assert translations(title) == expected


@pytest.mark.parametrize("mark", ["upper", "lower", "braced", "hyphens", "unhyphened", "entities", "stop", "broken"])
@pytest.mark.parametrize(
    "title",
    [
        "Off-diagonal Ramsey numbers & trees",
        "How do users experience moderation?: A systematic review",
        "Attacks on graph neural networks (TNF-α)",
        "Müßig's naïve view of non-iid soils in 2019",
    ],
)  # fmt: skip
def test_dress_changes_nothing(title: str, mark: str) -> None:
    dressed = {
        "upper": title.upper(),
        "lower": title.lower(),
        "braced": "{{" + title + "}}",
        "hyphens": title.replace("-", "\N{NON-BREAKING HYPHEN}"),
        "unhyphened": title.replace("-", " "),
        "entities": title.replace("&", "&amp;amp;").replace("'", "&#39;"),
        "stop": f" {title}. ",
        "broken": title.replace("s", "s-\n", 1),
    }[mark]
    assert compare_titles(dressed, title).likeness is Likeness.EQUAL
    assert distance(dressed, title) == 0.0


def test_only_numbers_mark_a_series() -> None:
    assert compare_titles("Graph minors. XX", "Graph minors. XVI").numbers_only
    assert compare_titles("Fraud in 2019", "Fraud in 2021").numbers_only
    assert not compare_titles("Fraud in 2019", "Theft in 2021").numbers_only


def test_function_words_are_not_content() -> None:
    assert compare_titles("Learning by parts at home", "Learning with parts at home").changed == 0
    assert compare_titles("Learning of deep parts", "Learning of broad parts").changed == 1


@given(TITLES, TITLES)
def test_distance_is_symmetric(left: str, right: str) -> None:
    assert distance(left, right) == distance(right, left)
    assert 0.0 <= distance(left, right) <= 1.0


@given(TITLES)
def test_distance_is_zero_on_equals(title: str) -> None:
    assert distance(title, title) == 0.0


@given(TITLES, TITLES)
def test_distance_is_zero_only_on_equal_titles(left: str, right: str) -> None:
    equal = compare_titles(left, right).likeness is Likeness.EQUAL
    assert (distance(left, right) == 0.0) is equal


@given(TITLES, TITLES)
def test_likeness_does_not_depend_on_the_side(left: str, right: str) -> None:
    assert compare_titles(left, right).likeness is compare_titles(right, left).likeness


@pytest.mark.parametrize(
    ("title", "generic"),
    [
        pytest.param("Introduction", True, id="list"),
        pytest.param("Deep Learning.", True, id="subject"),
        pytest.param("Osteoporosis", True, id="short"),
        pytest.param("", True, id="empty"),
        pytest.param("Letter to the Editor", True, id="letter"),
        pytest.param("Letters to the editor.", True, id="letters"),
        pytest.param("Editor's Introduction", True, id="apostrophe"),
        pytest.param("Proceedings", True, id="proceedings"),
        pytest.param("Message from the Program Chairs", True, id="chairs"),
        pytest.param("Éditorial", True, id="french"),
        pytest.param("Vorwort der Herausgeber", True, id="german"),
        pytest.param("Buchbesprechungen", True, id="german-reviews"),
        pytest.param("От редакции", True, id="russian"),
        pytest.param("Editorial policies of small journals", False, id="about-editorials"),
        pytest.param("Network in network", False, id="three-words"),
        pytest.param("Attention is all you need", False, id="usual"),
    ],
)
def test_generic_titles_identify_nothing(title: str, generic: bool) -> None:
    assert is_generic(title) is generic


def test_decorations_go_but_titles_stay() -> None:
    assert undecorated("Invited Paper: Growth (Extended Abstract)") == "Growth"
    assert undecorated("Withdrawn into the woods") == "Withdrawn into the woods"
    assert undecorated("[Retracted article] Growth of things") == "Growth of things"
    assert undecorated("A [sic] title.") == "A [sic] title"


@pytest.mark.parametrize(
    "hostile", ["a" * 1_000_000, "(" * 1_000_000, "a:" * 500_000, "a b " * 250_000, "[" * 1_000_000]
)
def test_hostile_titles_are_cut(hostile: str) -> None:
    started = time.perf_counter()
    compare_titles(hostile, "An ordinary title of a work")
    compare_titles("An ordinary title of a work", hostile)
    assert time.perf_counter() - started < 20
