"""Requests of the fourth round, and the constraints each asks for; see extraction_corpus.py."""

FOURTH = [
    (
        "plants",
        "",
        "A snake plant or a peace lily, no taller than 60 cm.",
        [("species", "in", ("snake plant", "peace lily")), ("height_cm", "<=", 60)],
    ),
    (
        "plants",
        "",
        "something for deep shade that is safe for pets, up to 15 bucks",
        [("light", "==", "deep shade"), ("pet_safe", "==", True), ("price", "<=", 15)],
    ),
    (
        "plants",
        "",
        "fiddle leaf fig with weekly watering, pot of at least 17 cm",
        [
            ("species", "==", "fiddle-leaf fig"),
            ("watering", "==", "weekly"),
            ("pot_diameter_cm", ">=", 17),
        ],
    ),
    (
        "plants",
        "",
        "fast growth, flowering, anything but aloe vera",
        [("growth", "==", "fast"), ("flowering", "==", True), ("species", "!=", "aloe vera")],
    ),
    (
        "plants",
        "How often can you water it?",
        "Every two weeks, not more.",
        [("watering", "==", "every two weeks")],
    ),
    (
        "plants",
        "",
        "a plant between 10 and 30 euros scoring 4 or more",
        [("price", "between", (10, 30)), ("score", ">=", 4)],
    ),
    (
        "jobs",
        "",
        "I'd like to be a translator from home, 24 to 32 hours per week",
        [("position", "==", "translator"), ("hours_per_week", "between", (24, 32))],
    ),
    (
        "jobs",
        "",
        "salary not below 30k, permanent, in Milton Keynes or Leeds",
        [
            ("annual_salary", ">=", 30000),
            ("contract", "==", "permanent"),
            ("location", "in", ("Milton Keynes", "Leeds")),
        ],
    ),
    (
        "jobs",
        "",
        "Line cook, no night shifts, start no later than 1 February 2026",
        [
            ("position", "==", "line cook"),
            ("night_shifts", "==", False),
            ("start_date", "<=", "2026-02-01"),
        ],
    ),
    ("jobs", "How many days off do you want?", "thirty at least", [("vacation_days", ">=", 30)]),
    (
        "phones",
        "",
        "Solaris phone for less than 600 dollars, sea green, 5000 mah battery",
        [
            ("manufacturer", "==", "Solaris"),
            ("price_usd", "<", 600),
            ("finish", "==", "sea green"),
            ("battery_mah", ">=", 5000),
        ],
    ),
    (
        "phones",
        "",
        "waterproof is not important, dual SIM is; from 2022 on",
        [("dual_sim", "==", True), ("year", ">=", 2022)],
    ),
    ("phones", "What is the most you would pay?", "550", [("price_usd", "<=", 550)]),
    (
        "laptops",
        "",
        "an HP or Acer with 17 inches, lighter than 3 kg, 1000-1500 dollars",
        [
            ("brand", "in", ("HP", "Acer")),
            ("screen_inches", "==", 17),
            ("weight_kg", "<", 3),
            ("price", "between", (1000, 1500)),
        ],
    ),
    (
        "laptops",
        "",
        "No Chrome OS, and at minimum 12 hours of battery life",
        [("operating_system", "!=", "Chrome OS"), ("battery_hours", ">=", 12)],
    ),
    (
        "flats",
        "",
        "Looking in Riverside for something with two bathrooms that allows pets, 1,300 max.",
        [
            ("district", "==", "Riverside"),
            ("bathrooms", "==", 2),
            ("pets_allowed", "==", True),
            ("monthly_rent", "<=", 1300),
        ],
    ),
    (
        "flats",
        "",
        "newer than 2010, more than 70 sqm, heat pump",
        [("year_built", ">", 2010), ("area_sqm", ">", 70), ("heating", "==", "heat pump")],
    ),
    (
        "hotels",
        "",
        "pool and sea view in Faro, 200 per night is my limit",
        [
            ("pool", "==", True),
            ("view", "==", "sea view"),
            ("city", "==", "Faro"),
            ("price_per_night", "<=", 200),
        ],
    ),
    (
        "hotels",
        "",
        "no street view, no smoking, at most 1 km from the beach",
        [
            ("view", "!=", "street view"),
            ("smoking_allowed", "==", False),
            ("distance_to_beach_km", "<=", 1),
        ],
    ),
    (
        "bikes",
        "",
        "Kestrel in moss green with 11 gears, max 3.5k",
        [
            ("maker", "==", "Kestrel"),
            ("colour", "==", "moss green"),
            ("gears", "==", 11),
            ("price_eur", "<=", 3500),
        ],
    ),
    (
        "courses",
        "",
        "free evening for mathematics at an intermediate level, under 100 dollars",
        [("subject", "==", "mathematics"), ("level", "==", "intermediate"), ("fee", "<=", 100)],
    ),
    (
        "cars",
        "",
        "Volvo wagon, all wheel drive, between 2012 and 2016, max 35k, not a hybrid",
        [
            ("Make", "==", "Volvo"),
            ("Vehicle Style", "==", "Wagon"),
            ("Driven_Wheels", "==", "all wheel drive"),
            ("Year", "between", (2012, 2016)),
            ("MSRP", "<=", 35000),
        ],
    ),
    (
        "restaurants",
        "",
        "Pizza in Baltimore with a rating of 3.5 or more for up to 30",
        [
            ("Cuisines", "contains", "Pizza"),
            ("City", "==", "Baltimore"),
            ("Aggregate Rating", ">=", 3.5),
            ("Average Cost", "<=", 30),
        ],
    ),
    (
        "rooms",
        "",
        "shared room in Charleston, cheaper than 100, minimum stay of at most 3 nights",
        [
            ("room type", "==", "Shared room"),
            ("city", "==", "Charleston"),
            ("price", "<", 100),
            ("minimum nights", "<=", 3),
        ],
    ),
]
"""Written when the first three were read almost without mistakes; 20 of 24 at first sight."""
