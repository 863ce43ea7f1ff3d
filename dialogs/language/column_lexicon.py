"""Lexicon: topics such as price or size, the words of column names that lead to each, its phrases.

Domain-independent: a topic is reached from the words of a column's name, never from a catalog.
"""

from __future__ import annotations

TOPICS: dict[str, tuple[str, str]] = {
    # topic: (words of a column's name that mean it, phrases by which people speak of it)
    "price": (
        "msrp price prices cost costs fare fee fees rent budget amount charge pricing usd eur",
        "price|prices|priced|pricing|price tag|sticker price|price range|price point|cost|costs"
        "|budget|spend|spending|pay|paying|afford|affordable|cheap|cheaper|cheapest|expensive"
        "|pricey|pricier|dollars|bucks|usd|euros|money|msrp|inexpensive|a night|per night|nightly"
        "|nightly rate|a day|per day|per person|a head",
    ),
    "salary": (
        "salary wage wages income compensation",
        "salary|salaries|wage|wages|pay|pays|paid|paying|earn|earning|earnings|income|compensation",
    ),
    "rent": ("rent rental", "rent|monthly rent|a month|per month|monthly|per week"),
    "year": (
        "year years vintage",
        "year|years|model year|newer|older|recent|vintage|made in|brand new|newest|latest",
    ),
    "built": ("built construction", "built|construction|newly built|new build"),
    "date": ("date released release", "date|released|release|release date|came out"),
    "rating": (
        "rating ratings rate score scores stars star",
        "rating|ratings|rated|stars|star|score|scores|scored|scoring|review|reviews|reviewed"
        "|review score|user rating|highly rated|star rating",
    ),
    "height": ("height", "height|tall|taller|high"),
    "reviews": ("review reviews", "reviews|review|reviewed|opinions|ratings"),
    "distance": (
        "distance distances km kilometers kilometres",
        "distance|away|near|nearby|close|closer|far|kilometers|kilometres|km|within|walk",
    ),
    "size": (
        "size area sqm sqft m2 square footage surface",
        "size|sized|area|big|bigger|large|larger|small|smaller|spacious|roomy|space|square meters"
        "|square metres|square feet|sqm|sqft|sq ft|m2|square footage",
    ),
    "fuel economy": (
        "mpg economy consumption",
        "mpg|miles per gallon|miles to the gallon|fuel economy|gas mileage|mileage"
        "|fuel efficiency|fuel efficient|economy|fuel consumption|to the gallon|a gallon",
    ),
    "odometer": (
        "mileage odometer miles",
        "mileage|miles|odometer|miles on the clock|miles on it|kilometers|km",
    ),
    "bedrooms": ("bedrooms bedroom beds bed br", "bedrooms|bedroom|bed|beds|bdrm|bdrms|br"),
    "rooms": ("rooms room", "rooms|room|roomed"),
    "bathrooms": ("bathrooms bathroom baths bath", "bathrooms|bathroom|baths|bath"),
    "floor": ("floor storey story level", "floor|storey|level|upstairs|ground floor"),
    "power": (
        "hp horsepower power bhp kw watts watt",
        "horsepower|hp|power|powerful|bhp|horses|watts|kw",
    ),
    "cylinders": ("cylinders cylinder", "cylinders|cylinder|cyl"),
    "doors": ("doors door", "doors|door"),
    "people": (
        "occupancy guests people persons capacity sleeps seats seating accommodates",
        "people|persons|guests|sleeps|seats|seating|capacity|occupancy|occupants|adults|of us"
        "|accommodate|accommodates|party of|travelers|travellers|friends|seater",
    ),
    "nights": ("nights stay", "nights|night stay|minimum stay|stay|night minimum"),
    "fuel": ("fuel", "fuel|gas|petrol|runs on|run on|takes|gasoline|fuel type"),
    "transmission": ("transmission gearbox", "transmission|gearbox|gears|shift|shifter|stick"),
    "drive": (
        "driven wheels drivetrain drive wheel",
        "drivetrain|drive|drive train|driven wheels|wheel drive|driving wheels",
    ),
    "brand": (
        "make brand manufacturer maker marque vendor",
        "make|brand|manufacturer|maker|marque|made by",
    ),
    "model": ("model", "model"),
    "style": ("style body", "body style|style|body|body type|styling"),
    "colour": ("color colour", "color|colour|coloured|colored|paint"),
    "weight": (
        "weight kg grams lbs",
        "weight|weigh|weighs|weighing|light|lighter|lightweight|heavy|heavier|kg|kilos|kilo"
        "|kilograms|grams|lbs|pounds|lb",
    ),
    "memory": ("ram memory", "ram|memory|gb of ram|gigs of ram"),
    "storage": (
        "storage ssd disk hdd",
        "storage|ssd|disk|hard drive|drive|disk space|gb of storage|tb",
    ),
    "screen": ("screen display inches inch", "screen|display|inch|inches|screen size|diagonal"),
    "battery": (
        "battery",
        "battery|battery life|hours of battery|on a charge|per charge|hours|lasts|run time",
    ),
    "processor": ("cpu processor chip", "cpu|processor|chip"),
    "duration": (
        "duration time minutes hours length runtime",
        "duration|long|longer|shorter|takes|hours|minutes|length|time|mins|runtime",
    ),
    "speed": ("speed", "speed|fast|faster|quick|quicker"),
    "cuisine": ("cuisine cuisines food", "cuisine|cuisines|food|dishes|kitchen|cooking"),
    "place": (
        "city town location place neighborhood neighbourhood district region state country area",
        "city|town|location|located|neighborhood|neighbourhood|district|region|country"
        "|part of town",
    ),
    "popularity": ("popularity", "popular|popularity|sought after"),
    "pets": ("pets pet dogs animals", "pets|pet|dog|dogs|cat|cats|animals|pet friendly"),
    "smoking": ("smoking smoke smokers", "smoking|smoke|smoker|smokers|smoke free"),
    "parking": ("parking garage", "parking|garage|parking space|parking spot|park"),
    "internet": ("wifi internet", "wifi|wi fi|internet|wireless"),
    "balcony": ("balcony terrace", "balcony|terrace|balconies"),
    "garden": ("garden yard", "garden|yard|backyard|gardens"),
    "furnished": ("furnished furniture", "furnished|furniture|unfurnished"),
    "elevator": ("elevator lift", "elevator|lift"),
    "pool": ("pool swimming", "pool|swimming pool|swim"),
    "breakfast": ("breakfast", "breakfast"),
    "warranty": ("warranty", "warranty|guarantee|guaranteed"),
    "touch": ("touchscreen touch", "touchscreen|touch screen|touch"),
    "rules": ("rules rule policy", "rules|house rules|policy|allowed"),
    "title": ("name title", "called|named|name|titled"),
}
"""Topic, the words of a name that lead to it, and its phrases, split at `|`."""

OTHER_WORDS = {
    "city": ("town", "urban"),
    "highway": ("motorway", "freeway", "interstate"),
    "screen": ("display",),
    "guest": ("visitor",),
    "smoking": ("smoke",),
}
"""Other words for a word of a column's name."""

NAME_FILLERS = frozenset(
    "the of a an per in on at to for by from until till since is has with type name number "
    "num no count category class value id total aggregate average avg mean vehicle item unit "
    "product column col and".split()
)
"""Words of a column's name that say nothing by themselves."""
