from rankwalk.terms import Term, spans, terms


def test_words_in_english_and_characters_in_chinese():
    assert terms("The hotel limit: 120 EUR!") == ["the", "hotel", "limit", "120", "eur"]
    assert terms("酒店上限是120元。") == ["酒", "店", "上", "限", "是", "120", "元"]


def test_full_width_and_upper_case_are_evened_out_but_places_are_those_of_the_text():
    assert spans("７ DAYS") == [Term("7", 0, 1), Term("days", 2, 6)]


def test_other_scripts_and_signs():
    assert terms("été_noël 🙂 <img> שלום") == ["été", "noël", "img", "שלום"]
    assert terms(" … ") == []
