"""Sentences people might write over small catalogs, and the constraints each of them states.

A case is (catalog, question asked before it or "", text, constraints); a constraint is
(column, op, value). Nothing else may be extracted from the text.
"""

from __future__ import annotations

import csv
import io
import itertools
from pathlib import Path

LAPTOPS = {
    "brand": ["Lenovo", "Dell", "Apple", "HP", "Asus", "Acer", "Framework"],
    "model": [
        "ThinkPad X1 Carbon",
        "ThinkPad X1 Carbon Gen 9",
        "XPS 13",
        "XPS 15",
        "MacBook Air",
        "MacBook Pro",
        "Pavilion 14",
        "Zenbook 14 OLED",
        "Swift 3",
        "Laptop 13",
        "Studio",
    ],
    "price": [650, 799, 949, 1199, 1450, 1799, 2100, 2600, 3200],
    "ram_gb": [4, 8, 16, 32, 64],
    "storage_gb": [128, 256, 512, 1024, 2048],
    "screen_inches": [11.6, 13.3, 14.0, 15.6, 16.0, 17.3],
    "weight_kg": [0.9, 1.2, 1.4, 1.8, 2.3, 3.1],
    "battery_hours": [4, 6, 9, 12, 15, 20],
    "color": ["silver", "space gray", "black", "blue", "white"],
    "operating_system": ["Windows 11", "macOS", "Linux", "Chrome OS"],
    "touchscreen": ["true", "false"],
    "release_date": ["2021-03-15", "2022-06-01", "2023-01-20", "2023-10-05", "2024-04-30"],
}

FLATS = {
    "district": ["Riverside", "Old Town", "Harbour", "Northgate", "Kingsbridge", "West End"],
    "monthly_rent": [620, 780, 950, 1150, 1400, 1850, 2400],
    "bedrooms": [1, 2, 3, 4, 5],
    "bathrooms": [1, 2, 3],
    "area_sqm": [28, 41, 55, 68, 84, 102, 140],
    "floor": [0, 1, 2, 3, 5, 8, 12],
    "year_built": [1905, 1936, 1958, 1974, 1991, 2008, 2016, 2022],
    "furnished": ["furnished", "unfurnished", "partly furnished"],
    "heating": ["gas", "district heating", "heat pump", "electric"],
    "balcony": ["true", "false"],
    "garden": ["true", "false"],
    "pets_allowed": ["true", "false"],
    "available_from": ["2026-01-01", "2026-02-01", "2026-03-15", "2026-05-01", "2026-09-01"],
    "distance_to_station_km": [0.2, 0.5, 1.1, 2.4, 4.8],
}

HOTELS = {
    "city": ["Lisbon", "Porto", "Faro", "Braga", "Santa Maria da Feira", "Figueira da Foz"],
    "stars": [1, 2, 3, 4, 5],
    "price_per_night": [45, 69, 95, 130, 180, 260, 420],
    "guest_rating": [5.9, 7.1, 7.8, 8.4, 9.0, 9.5],
    "reviews": [12, 85, 320, 1250, 4100],
    "room_type": ["single room", "double room", "twin room", "family suite"],
    "view": ["sea view", "garden view", "street view", "mountain view"],
    "distance_to_beach_km": [0.1, 0.4, 0.9, 2.5, 7.0],
    "breakfast_included": ["true", "false"],
    "pool": ["true", "false"],
    "parking": ["true", "false"],
    "smoking_allowed": ["true", "false"],
}

BIKES = {
    "maker": ["Kestrel", "Nordlys", "Brook & Sons", "Velora", "Tiefland"],
    "frame": ["step-through", "diamond", "folding", "cargo"],
    "price_eur": [890, 1290, 1690, 2190, 2890, 3900, 5400],
    "range_km": [40, 60, 80, 110, 150],
    "weight_kg": [14.5, 18.2, 21.0, 24.7, 31.5],
    "gears": [1, 3, 7, 8, 11],
    "brakes": ["rim", "hydraulic disc", "mechanical disc"],
    "motor": ["hub motor", "mid-drive motor"],
    "colour": ["moss green", "night blue", "white", "bright red"],
    "model_year": [2021, 2022, 2023, 2024, 2025],
    "rating": [2.9, 3.6, 4.1, 4.5, 4.8],
    "has_lights": ["yes", "no"],
    "luggage_rack": ["yes", "no"],
}

COURSES = {
    "title": ["Intro to Statistics", "Oil Painting", "Data Structures", "Baking Bread", "Rhetoric"],
    "subject": ["computer science", "art", "cooking", "mathematics", "communication"],
    "language": ["English", "German", "Spanish", "Portuguese"],
    "level": ["beginner", "intermediate", "advanced"],
    "fee": [0, 49, 120, 260, 480],
    "duration_weeks": [2, 4, 6, 8, 12],
    "hours_per_week": [2, 3, 5, 8],
    "start_date": ["2026-02-02", "2026-03-09", "2026-06-15", "2026-10-05"],
    "certificate": ["true", "false"],
    "live_sessions": ["true", "false"],
    "participants": [8, 12, 20, 45, 200],
}

JOBS = {
    "position": ["nurse", "data analyst", "line cook", "site manager", "translator", "electrician"],
    "employer": ["Hollis Group", "Marlow Clinic", "Tern Logistics", "Quill & Page", "Oakfield"],
    "location": ["Leeds", "Bristol", "Cardiff", "Glasgow", "Milton Keynes"],
    "contract": ["permanent", "temporary", "freelance"],
    "annual_salary": [24000, 29500, 36000, 45000, 58000, 72000],
    "hours_per_week": [16, 24, 32, 38, 40],
    "vacation_days": [20, 25, 28, 30, 35],
    "experience_years": [0, 1, 3, 5, 10],
    "team_size": [3, 6, 12, 30, 80],
    "remote": ["true", "false"],
    "night_shifts": ["true", "false"],
    "start_date": ["2026-01-05", "2026-02-02", "2026-04-01", "2026-07-01"],
}

PHONES = {
    "manufacturer": ["Arbor", "Nimbus", "Solaris", "Pika", "Onyx"],
    "name": ["Arbor One", "Arbor One Plus", "Nimbus 7", "Sol 12 Mini", "Pika Fold", "Onyx 300"],
    "price_usd": [149, 249, 399, 549, 799, 1099],
    "storage_gb": [64, 128, 256, 512],
    "battery_mah": [2800, 3500, 4200, 5000],
    "display_inches": [4.7, 5.4, 6.1, 6.7],
    "camera_megapixels": [12, 24, 48, 108],
    "finish": ["graphite", "pearl white", "coral", "sea green"],
    "stars": [2.5, 3.4, 4.0, 4.6],
    "year": [2021, 2022, 2023, 2024],
    "dual_sim": ["true", "false"],
    "waterproof": ["true", "false"],
    "headphone_jack": ["true", "false"],
}

PLANTS = {
    "species": ["fiddle-leaf fig", "snake plant", "peace lily", "boston fern", "aloe vera", "fig"],
    "light": ["full sun", "partial shade", "deep shade"],
    "watering": ["daily", "weekly", "every two weeks", "monthly"],
    "height_cm": [15, 30, 60, 110, 180],
    "pot_diameter_cm": [9, 12, 17, 24],
    "price": [4.5, 9.9, 14.5, 28, 65],
    "growth": ["slow", "moderate", "fast"],
    "score": [3.1, 3.9, 4.4, 4.9],
    "pet_safe": ["true", "false"],
    "flowering": ["true", "false"],
}

INLINE = {
    "plants": PLANTS,
    "jobs": JOBS,
    "phones": PHONES,
    "laptops": LAPTOPS,
    "flats": FLATS,
    "hotels": HOTELS,
    "bikes": BIKES,
    "courses": COURSES,
}

PUBLISHED = {
    "cars": "cooperunion_cars/data.csv",
    "restaurants": "travelplanner/restaurants.csv.gz",
    "rooms": "travelplanner/accommodations.csv.gz",
}

ROWS = 240


def rows_of(columns: dict[str, list[object]]) -> list[list[object]]:
    """Return rows that cycle through every column's values at different paces."""
    turns = [
        [values[(row * step + row // len(values)) % len(values)] for row in range(ROWS)]
        for values, step in zip(columns.values(), itertools.cycle((1, 3, 7, 5)), strict=False)
    ]
    return [list(row) for row in zip(*turns, strict=True)]


def write_catalog(name: str, folder: Path) -> Path:
    """Write an inline catalog as CSV and return its path."""
    columns: dict[str, list[object]] = INLINE[name]  # type: ignore[assignment]
    text = io.StringIO()
    writer = csv.writer(text)
    writer.writerow(columns)
    writer.writerows(rows_of(columns))
    path = folder / f"{name}.csv"
    path.write_text(text.getvalue(), encoding="utf-8")
    return path
