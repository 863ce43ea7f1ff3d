"""The recorded checkers decide hand-made households as their requirement texts say."""

import json
from pathlib import Path
from random import Random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from concede.bench.benyfits import published_data
from concede.bench.json_lines import read_records
from concede.dialogs.eligibility.decisions.evaluation import evaluate, run
from concede.dialogs.eligibility.decisions.program import load_programs
from concede.dialogs.eligibility.keys import SIZE, Key, Known, Slot, Value
from example_counts import examples

FOLDER = Path(published_data.__file__).parent / "checkers"
PROGRAMS = load_programs(FOLDER)
KEYS = PROGRAMS.keys
BY_NAME = {program.name: program for program in PROGRAMS}

Member = Home = dict[str, Value]

TRUE_OF_MOST = (
    "has_ssn can_care_for_self can_manage_self can_access_subway_or_bus work_authorization "
    "lived_together_last_6_months authorized_to_work_in_us health_insurance "
    "was_authorized_to_work_when_job_lost qualify_for_health_insurance"
).split()
USUAL: Member = {
    **dict.fromkeys(TRUE_OF_MOST, True),
    "age": 30,
    "citizenship": "citizen_or_national",
    "current_school_level": "none",
    "high_school_equivalent": "high school diploma",
    "years_sober": 10,
}
HOME: Home = {"place_of_residence": "New York City", "primary_residence": True}
ME: Member = {}
JERSEY: Home = {"place_of_residence": "Jersey"}
STABILIZED: Home = {"housing_type": "rent stabilized apartment"}
NYCHA: Home = {"housing_type": "NYCHA development"}
SHELTER: Home = {"housing_type": "DHS shelter"}


def child(age: int, **facts: Value) -> Member:
    """A child of the applicant."""
    return {"relation": "child", "age": age, "dependent": True} | facts


def spouse(**facts: Value) -> Member:
    """The applicant's spouse."""
    return {"relation": "spouse"} | facts


def works(income: int, **facts: Value) -> Member:
    """Somebody with a yearly income from work."""
    return {"annual_work_income": income} | facts


def plain(key: Key) -> Value:
    """A value that qualifies for little: no, 0, or the first of a choice."""
    return {"bool": False, "int": 0, "float": 0.0}.get(key.kind, key.values and key.values[0])


def household(members: list[Member], home: Home) -> Known:
    """Facts of a household: what is not told is usual."""
    known: dict[Slot, Value] = {SIZE: len(members)}
    for key in KEYS:
        if key.level == "household":
            known[key.slot(0)] = (HOME | home).get(key.name, plain(key))
            continue
        for at, told in enumerate(members):
            facts = USUAL | {"relation": "friend" if at else "self"} | told
            known[key.slot(at)] = facts.get(key.name, plain(key))
    told = {name for member in members for name in member} | set(home)
    assert told <= {key.name for key in KEYS}, "a household with a fact that no key tells"
    return known


Case = tuple[str, bool, list[Member], Home]

CARED = child(12, has_paid_caregiver=True)
TENANT: Member = {"name_is_on_lease": True, "monthly_rent_spending": 1000}
OWNER: Member = {"is_property_owner": True, "age": 65}
STUDENT: Member = {"age": 16, "current_school_level": 11}
LEARNER: Member = {"age": 16, "high_school_equivalent": "no high school diploma equivalent"}
CITIZENS_CHILD = child(4, citizenship="citizen_or_national")
CLAIMANT: Member = {"lost_job": True, "months_since_worked": 18, "can_work_immediately": True}
UNPROTECTED: Member = {"age": 18, "disabled": True, "can_manage_self": False}
EVICTED: Member = {"receives_cash_assistance": True, "evicted_months_ago": 12}
FULL_TIME: Member = {"work_hours_per_week": 20, "consecutive_work_weeks": 26}
PART_TIME: Member = {"work_hours_per_week": 19, "nonconsecutive_work_days": 175}
MOTHER: Member = {"months_pregnant": 7, "eligible_for_medicaid": True}
ADMITTED: Member = {"accepted_to_cuny": True, "proficient_in_math": True}
COLD: Member = {"heat_shut_off": True, "heating_electrical_bill_in_name": True}
LAWFUL: Member = {"citizenship": "lawful_resident"}
UNLAWFUL: Member = {"citizenship": "unlawful_resident"}

CASES: list[Case] = [
    ("ChildAndDependentCareTaxCredit", True, [works(1), CARED], {}),
    ("ChildAndDependentCareTaxCredit", False, [works(0), CARED], {}),
    ("ChildAndDependentCareTaxCredit", False, [works(1), CARED | {"age": 13}], {}),
    (
        "ChildAndDependentCareTaxCredit",
        True,
        [works(1), CARED | {"age": 13, "can_care_for_self": False}],
        {},
    ),
    (
        "ChildAndDependentCareTaxCredit",
        True,
        [works(1, works_outside_home=True), spouse(disabled=True), CARED],
        {},
    ),
    ("ChildAndDependentCareTaxCredit", False, [works(1), spouse(disabled=True), CARED], {}),
    ("EarlyHeadStart", True, [works(19_720), child(3)], {}),
    ("EarlyHeadStart", False, [works(19_721), child(3)], {}),
    ("EarlyHeadStart", False, [works(0), child(4)], {}),
    ("EarlyHeadStart", True, [works(55_700)] + 8 * [child(3)], {}),
    ("EarlyHeadStart", False, [works(55_701)] + 8 * [child(3)], {}),
    ("EarlyHeadStart", True, [works(90_000, receives_hra=True), child(3)], {}),
    ("HeadStart", False, [works(20_440), child(3)], {}),
    ("HeadStart", True, [works(20_439), child(4)], {}),
    ("HeadStart", True, [works(90_000), child(4)], {"receives_snap": True}),
    ("InfantToddlerPrograms", True, [works(67_490), child(5)], {}),
    ("InfantToddlerPrograms", False, [works(67_491), child(5)], {}),
    ("InfantToddlerPrograms", True, [works(90_000, work_hours_per_week=10), child(5)], {}),
    ("InfantToddlerPrograms", False, [works(90_000, days_looking_for_work=181), child(5)], {}),
    (
        "InfantToddlerPrograms",
        False,
        [works(99_000, work_hours_per_week=10), spouse(), child(5)],
        {},
    ),
    ("ChildTaxCredit", True, [works(200_000), child(16, has_ssn=False, has_atin=True)], {}),
    ("ChildTaxCredit", False, [works(200_001), child(16)], {}),
    ("ChildTaxCredit", False, [works(1), child(17)], {}),
    ("ChildTaxCredit", True, [works(400_000), spouse(filing_jointly=True), child(16)], {}),
    ("ChildTaxCredit", False, [works(1), child(5) | {"relation": "cousin"}], {}),
    (
        "DisabilityRentIncreaseExemption",
        True,
        [TENANT | works(35_999, receives_ssi=True, age=18)],
        STABILIZED,
    ),
    (
        "DisabilityRentIncreaseExemption",
        False,
        [TENANT | works(36_000, receives_ssi=True)],
        STABILIZED,
    ),
    (
        "DisabilityRentIncreaseExemption",
        False,
        [TENANT | {"receives_disability_medicaid": True}],
        STABILIZED,
    ),
    ("DisabilityRentIncreaseExemption", False, [TENANT | {"receives_ssi": True}], NYCHA),
    ("SeniorCitizenRentIncreaseExemption", True, [TENANT | {"age": 62}], STABILIZED),
    ("SeniorCitizenRentIncreaseExemption", False, [TENANT | {"age": 61}], STABILIZED),
    (
        "SeniorCitizenRentIncreaseExemption",
        False,
        [TENANT | {"age": 62}],
        {"housing_type": "Section 213 coop"},
    ),
    ("EarnedIncomeTaxCredit", True, [works(17_640, age=25)], {}),
    ("EarnedIncomeTaxCredit", False, [works(17_640, age=24)], {}),
    ("EarnedIncomeTaxCredit", False, [works(17_641)], {}),
    ("EarnedIncomeTaxCredit", True, [works(56_838, age=70), child(9)], {}),
    ("EarnedIncomeTaxCredit", False, [works(1, annual_investment_income=11_000)], {}),
    ("EarnedIncomeTaxCredit", True, [works(63_398), spouse(filing_jointly=True), child(9)], {}),
    ("EarnedIncomeTaxCredit", False, [works(1), spouse(), child(9)], {}),
    (
        "EarnedIncomeTaxCredit",
        True,
        [works(1), spouse(lived_together_last_6_months=False), child(9)],
        {},
    ),
    ("ComprehensiveAfterSchoolSystemOfNYC", True, [ME, child(5, current_school_level="k")], {}),
    ("ComprehensiveAfterSchoolSystemOfNYC", False, [ME, child(4, current_school_level="pk")], {}),
    ("ComprehensiveAfterSchoolSystemOfNYC", False, [ME, child(9, current_school_level=4)], JERSEY),
    ("BasicSchoolTaxReliefProgram", True, [works(500_000, is_property_owner=True)], {}),
    (
        "BasicSchoolTaxReliefProgram",
        False,
        [works(400_000, is_property_owner=True), spouse(annual_work_income=100_001)],
        {},
    ),
    ("EnhancedSchoolTaxReliefProgram", True, [OWNER | works(98_700), works(9, age=20)], {}),
    ("EnhancedSchoolTaxReliefProgram", False, [OWNER | {"age": 64}], {}),
    (
        "EnhancedSchoolTaxReliefProgram",
        True,
        [OWNER, spouse(is_property_owner=True, age=50)],
        {},
    ),
    (
        "EnhancedSchoolTaxReliefProgram",
        False,
        [OWNER, {"relation": "cousin", "is_property_owner": True}],
        {},
    ),
    ("SeniorCitizenHomeownersExemption", True, [OWNER | {"months_owned_property": 12}], {}),
    ("SeniorCitizenHomeownersExemption", False, [OWNER | {"months_owned_property": 11}], {}),
    ("SeniorCitizenHomeownersExemption", True, [OWNER | {"had_previous_sche": True}], {}),
    ("DisabledHomeownersExemption", True, [OWNER | works(58_399, disabled=True)], {}),
    ("DisabledHomeownersExemption", False, [OWNER | works(58_400, disabled=True)], {}),
    (
        "DisabledHomeownersExemption",
        False,
        [OWNER | {"disabled": True}, {"is_property_owner": True}],
        {},
    ),
    ("SectionEightHousingChoiceVoucherProgram", True, [works(54_350)], JERSEY),
    ("SectionEightHousingChoiceVoucherProgram", False, [works(62_151), child(2)], {}),
    ("VeteransPropertyTaxExemption", True, [OWNER, spouse(conflict_veteran=True)], {}),
    ("VeteransPropertyTaxExemption", False, [OWNER, {"conflict_veteran": True}], {}),
    ("HomeEnergyAssistanceProgram", True, [works(36_420, age=60)], {}),
    ("HomeEnergyAssistanceProgram", False, [works(36_421, age=60)], {}),
    ("HomeEnergyAssistanceProgram", False, [works(36_420, age=59)], {}),
    ("HomeEnergyAssistanceProgram", True, [COLD | {"available_financial_resources": 2499.0}], {}),
    ("HomeEnergyAssistanceProgram", False, [COLD | {"available_financial_resources": 2500.0}], {}),
    ("NYSUnemploymentInsurance", True, [ME, CLAIMANT], JERSEY),
    ("NYSUnemploymentInsurance", False, [CLAIMANT | {"months_since_worked": 19}], {}),
    ("NYSUnemploymentInsurance", False, [CLAIMANT | {"authorized_to_work_in_us": False}], {}),
    ("SummerMeals", True, [ME, child(18)], {}),
    ("SummerMeals", False, [ME, child(19)], {}),
    ("OlderAdultEmploymentProgram", True, [{"age": 55}, works(25_550)], {}),
    ("OlderAdultEmploymentProgram", False, [{"age": 55}, works(25_551)], {}),
    ("OlderAdultEmploymentProgram", False, [{"age": 55, "work_hours_per_week": 1}], {}),
    ("OlderAdultEmploymentProgram", True, [works(9_000, age=55)], {}),
    ("SilverCorps", True, [{"age": 55}, works(217_305)] + 7 * [child(2)], {}),
    ("SilverCorps", False, [{"age": 55}, works(217_306)] + 7 * [child(2)], {}),
    ("CommoditySupplementalFoodProgram", True, [works(26_572), {"age": 60}], {}),
    ("CommoditySupplementalFoodProgram", False, [{"age": 60}], JERSEY),
    ("LearnEarn", True, [works(19_720), child(5) | STUDENT], {}),
    ("LearnEarn", False, [works(19_721), child(5) | STUDENT], {}),
    ("LearnEarn", True, [works(90_000), STUDENT | {"disabled": True}], {}),
    ("LearnEarn", False, [STUDENT | {"is_eligible_for_selective_service": True}], {}),
    ("LearnEarn", False, [works(90_000, disabled=True), STUDENT], {}),
    ("NYCNurseFamilyPartnership", True, [MOTHER], {}),
    ("NYCNurseFamilyPartnership", False, [MOTHER | {"months_pregnant": 8}], {}),
    ("NYCNurseFamilyPartnership", False, [MOTHER | {"is_parent": True}], {}),
    ("FamilyPlanningBenefitProgram", True, [LAWFUL | works(33_588)], {}),
    ("FamilyPlanningBenefitProgram", False, [LAWFUL | works(33_589)], {}),
    ("FamilyPlanningBenefitProgram", False, [UNLAWFUL], {}),
    ("OfficeOfChildSupportServices", True, [{"responsible_for_day_to_day": True}, child(20)], {}),
    ("OfficeOfChildSupportServices", False, [{"responsible_for_day_to_day": True}, child(21)], {}),
    (
        "OfficeOfChildSupportServices",
        False,
        [{"responsible_for_day_to_day": True}, spouse(), child(20)],
        {},
    ),
    ("AdultProtectiveServices", True, [UNPROTECTED], {}),
    ("AdultProtectiveServices", False, [UNPROTECTED | {"has_family_to_help": True}], {}),
    ("AdultProtectiveServices", False, [UNPROTECTED | {"age": 17}], {}),
    ("AccessARideParatransitService", True, [{"recovering_from_surgery": True}], {}),
    ("AccessARideParatransitService", False, [{"disabled": True}], {}),
    ("NYCFreeTaxPrep", True, [works(59_000)], {}),
    ("NYCFreeTaxPrep", False, [works(59_001)], {}),
    ("NYCFreeTaxPrep", True, [works(85_000), child(2)], {}),
    ("NYCFreeTaxPrep", False, [works(30_000), spouse(filing_jointly=True) | works(29_001)], {}),
    ("NYCFreeTaxPrep", False, [works(85_001), child(2)], {}),
    ("NYCHAPublicHousing", True, [works(99_550), child(2)], {}),
    ("NYCHAPublicHousing", False, [works(99_551), child(2)], {}),
    ("NYCHAPublicHousing", False, [ME, {"relation": "friend"}], {}),
    ("NYCHAPublicHousing", True, [{"age": 17, "emancipated_minor": True}], {}),
    ("NYCHAPublicHousing", False, [UNLAWFUL], {}),
    ("NYCHAPublicHousing", True, [UNLAWFUL, CITIZENS_CHILD], {}),
    ("MedicaidForPregnantWomen", True, [works(45_581, months_pregnant=1)], {}),
    ("MedicaidForPregnantWomen", False, [works(45_582, months_pregnant=1)], {}),
    ("AcceleratedStudyInAssociatePrograms", True, [ADMITTED | {"gpa": 2.0}], {}),
    (
        "AcceleratedStudyInAssociatePrograms",
        False,
        [ADMITTED | {"gpa": 2.0, "college_credits": 16}],
        {},
    ),
    ("AcceleratedStudyInAssociatePrograms", False, [ADMITTED | {"gpa": 2.0}], JERSEY),
    ("AdvanceEarn", True, [LEARNER], {}),
    ("AdvanceEarn", False, [LEARNER | {"age": 25}], {}),
    ("AdvanceEarn", False, [LEARNER | {"current_school_level": 10}], {}),
    ("TrainEarn", True, [LEARNER, works(19_720)], {}),
    ("TrainEarn", False, [LEARNER, works(19_721)], {}),
    ("TrainEarn", True, [{"age": 24}], {}),
    ("TrainEarn", False, [{"age": 24, "proficient_in_english_reading_and_writing": True}], {}),
    ("CoolingAssistanceBenefit", True, [works(36_420, age=60)], {}),
    ("CoolingAssistanceBenefit", False, [works(36_421, age=60)], {}),
    ("CoolingAssistanceBenefit", False, [{"age": 60, "ac": True}], {}),
    ("CoolingAssistanceBenefit", False, [{"age": 60, "got_heap_ac": 5}], {}),
    ("CoolingAssistanceBenefit", True, [{"age": 60, "got_heap_ac": 6}], {}),
    (
        "CoolingAssistanceBenefit",
        True,
        [works(90_000, age=60, heat_included_in_rent=True)],
        {"housing_type": "Section 8"},
    ),
    ("FairFaresNYC", True, [works(18_072, age=64)], {}),
    ("FairFaresNYC", False, [works(18_072, age=65)], {}),
    ("FairFaresNYC", False, [works(18_073, age=64)], {}),
    ("SafeAndSickLeave", True, [works(1)], JERSEY),
    ("SafeAndSickLeave", False, [works(1, government_job=True)], {}),
    ("STEMMattersNYC", True, [ME, child(5, current_school_level="k")], {}),
    ("STEMMattersNYC", False, [ME, child(17, current_school_level=12)], {}),
    ("Lifeline", True, [works(20_331)], {}),
    ("Lifeline", False, [works(20_332)], {}),
    ("Lifeline", True, [works(90_000), {"receives_medicaid": True}], {}),
    ("ChildCareVouchers", True, [works(73_869, work_hours_per_week=10), child(13)], {}),
    ("ChildCareVouchers", False, [works(73_870, work_hours_per_week=10), child(13)], {}),
    ("ChildCareVouchers", False, [works(1, work_hours_per_week=9), child(13)], {}),
    ("ChildCareVouchers", False, [works(1, work_hours_per_week=10), child(14)], {}),
    ("FamilyHomelessnessAndEvictionPreventionSupplement", True, [EVICTED, child(17)], {}),
    ("FamilyHomelessnessAndEvictionPreventionSupplement", False, [EVICTED, child(18)], {}),
    (
        "FamilyHomelessnessAndEvictionPreventionSupplement",
        True,
        [EVICTED, child(18, current_school_level=12)],
        {},
    ),
    (
        "FamilyHomelessnessAndEvictionPreventionSupplement",
        False,
        [EVICTED | {"evicted_months_ago": 13}, child(17)],
        {},
    ),
    (
        "FamilyHomelessnessAndEvictionPreventionSupplement",
        True,
        [EVICTED | {"evicted_months_ago": 0, "eligible_for_hra_shelter": True}, child(17)],
        SHELTER,
    ),
    ("NYSPaidFamilyLeave", True, [FULL_TIME], {}),
    ("NYSPaidFamilyLeave", False, [FULL_TIME | {"consecutive_work_weeks": 25}], {}),
    ("NYSPaidFamilyLeave", True, [PART_TIME], {}),
    ("NYSPaidFamilyLeave", False, [PART_TIME | {"nonconsecutive_work_days": 174}], {}),
    ("NYSPaidFamilyLeave", False, [FULL_TIME | {"government_job": True}], {}),
    ("FamilyTypeHomesForAdults", True, [UNPROTECTED], {}),
    ("FamilyTypeHomesForAdults", False, [UNPROTECTED | {"developmental_condition": True}], {}),
    ("FamilyTypeHomesForAdults", False, [UNPROTECTED | {"years_sober": 4}], {}),
    ("FamilyTypeHomesForAdults", True, [UNPROTECTED | {"years_sober": -1}], {}),
    ("HomeFirstDownPaymentAssistance", True, [works(87_100, honorable_service=True)], {}),
    ("HomeFirstDownPaymentAssistance", False, [works(87_101, honorable_service=True)], {}),
    ("HomeFirstDownPaymentAssistance", False, [ME], {}),
    ("NYCMitchellLama", True, [works(135_875)], {}),
    ("NYCMitchellLama", False, [works(135_876)], {}),
    ("TextTwoWork", True, [ME, {"receives_cash_assistance": True}], {}),
    ("TextTwoWork", False, [ME], {}),
    ("NewbornHomeVisitingProgram", True, [ME, child(0)], SHELTER),
    ("NewbornHomeVisitingProgram", False, [ME, child(1)], SHELTER),
    ("JobsPlus", True, [{"lives_in_jobs_plus_neighborhood": True}], NYCHA),
    ("JobsPlus", False, [{"lives_in_jobs_plus_neighborhood": True}], {}),
]


@pytest.mark.parametrize(
    ("name", "eligible", "members", "home"),
    [pytest.param(*case, id=f"{case[0]}-{at}") for at, case in enumerate(CASES)],
)
def test_a_household_at_the_limits_is_decided_as_the_text_says(
    name: str, eligible: bool, members: list[Member], home: Home
):
    done = run(BY_NAME[name], household(members, home), KEYS)
    assert done.error == ""
    assert done.outcome is eligible


def test_many_programs_have_a_case_of_each_outcome():
    outcomes = {(name, eligible) for name, eligible, _, _ in CASES}
    both = {name for name in BY_NAME if {(name, True), (name, False)} <= outcomes}
    assert len(both) >= 40


@pytest.mark.parametrize("name", BY_NAME)
def test_a_checker_says_which_requirements_it_encodes(name: str):
    first = BY_NAME[name].checked.tree.body[0]
    told = getattr(getattr(first, "value", None), "value", None)
    assert isinstance(told, str)
    assert len(told.split()) >= 8


def drawn(random: Random) -> Known:
    """Any household of valid values; numbers stand at the limits of all programs, or near."""
    size = random.randint(1, 6)
    known: dict[Slot, Value] = {SIZE: size}
    for key in KEYS:
        for at in range(size if key.level == "member" else 1):
            known[key.slot(at)] = _any_value(key, random)
    return known


def _any_value(key: Key, random: Random) -> Value:
    if key.kind == "bool":
        return random.random() < 0.5
    if key.kind == "choice":
        return random.choice(key.values)
    number = random.choice((key.low, 0, 1, 5, 12, 17, 18, 20, 25, 60, 65, min(key.high, 1e6)))
    return float(number) if key.kind == "float" else int(number)


@settings(max_examples=examples(30))
@given(seed=st.integers(0, 2**32))
def test_every_checker_decides_every_household(seed: int):
    known = drawn(Random(seed))
    for program in PROGRAMS:
        done = run(program, known, KEYS)
        assert done.error == ""
        assert done.outcome is not None
        assert evaluate(program, known, KEYS).outcome is done.outcome


@settings(max_examples=examples(10))
@given(seed=st.integers(0, 2**32), share=st.floats(0, 1))
def test_what_some_facts_settle_the_others_do_not_change(seed: int, share: float):
    random = Random(seed)
    known = drawn(random)
    some = {slot: known[slot] for slot in known if slot == SIZE or random.random() < share}
    for program in PROGRAMS:
        settled = evaluate(program, some, KEYS)
        assert settled.error == ""
        if settled.outcome is not None:
            assert run(program, known, KEYS).outcome is settled.outcome


def _raw_records(path: Path) -> list[dict[str, Any]]:
    return list(read_records(path, dict))


def test_the_keys_are_the_features_of_the_published_households(shared_data: Path):
    path = shared_data / "benyfits" / "features.jsonl"
    features = {raw_record["feature"]: raw_record for raw_record in _raw_records(path)}
    assert {key.name for key in KEYS} == features.keys() - {"name"}
    for key in KEYS:
        feature = features[key.name]
        assert {"choice": "enum"}.get(key.kind, key.kind) == feature["type"]
        assert list(key.values) == feature.get("values", [])


def test_every_published_program_has_a_checker(shared_data: Path):
    path = shared_data / "benyfits" / "programs.jsonl"
    assert set(BY_NAME) == {raw_record["program"] for raw_record in _raw_records(path)}


def test_a_key_is_asked_for_in_words():
    for record in json.loads((FOLDER / "keys.json").read_text(encoding="utf-8"))["keys"]:
        assert record["ask"].endswith("?")
        assert record["level"] == "household" or record["ask_all"]
