"""Questions in words other than ours, and the entry that each is about."""

QUESTIONS = """
persona.budget
  Before anything else, how much money can you set aside for this trip?
  Roughly what are you looking to spend overall?
  Give me your budget.
  Could you share your total budget for the journey?
  So, what sort of figure did you have in mind for the whole vacation?
  What's the maximum you'd be willing to pay in total?
persona.travel_with_child
  Will any kids be coming along?
  Are you traveling with children?
  Do you have little ones joining you?
  Is anyone under ten in your group?
  Are your children joining you on this trip?
persona.travel_with_pets
  What about animals, are you bringing any pets?
  Is a dog or cat coming with you?
  Will you be accompanied by a pet?
  Do you plan to take along a pet?
persona.disability
  Do you have any disabilities or mobility issues I should know about?
  Does anyone in your party have a disability?
  Does anybody travelling have reduced mobility?
persona.travel_frequency
  How frequently do you go on trips?
  Are you a frequent traveler?
  Do you travel a lot, or is it a rare treat?
flight.preferred_airline
  Which airline would you like to take?
  Tell me your favorite airline.
  Do you have a carrier you like to fly with?
  Got a go-to airline?
  Delta, United or another airline?
flight.avoid_airline
  Are there any airlines you'd rather not fly with?
  Is there a carrier you dislike?
  Any airline you refuse to board?
flight.preferred_cabin
  In which cabin would you like to sit?
  Economy or business class?
  What class do you want to travel in?
  Would you prefer to fly business or economy?
flight.preferred_refundability
  Do you want a refundable ticket?
  Should we book a fare you can get your money back for?
  Do you need your plane ticket to be refundable in case plans fall through?
flight.preferred_fly_time
  When would you like to depart: morning, afternoon or overnight?
  What time of day suits you for flying?
  Do you prefer early flights or red-eyes?
flight.preferred_meal_options
  Any dietary needs on the plane?
  Would you like a vegetarian or gluten-free meal on board?
  Do you have any dietary restrictions for the in-flight meal?
flight.preferred_change_policies
  How important is it that you can change your flight for free?
  Would you pay a fee to change your ticket?
  Is being able to change the flight at no cost important?
flight.need_in_flight_entertainment
  Do you need Wi-Fi during the flight?
  Is in-flight entertainment important to you?
  Is having internet on the plane important to you?
flight.preferred_aircraft_type
  Do you have a preferred aircraft, Boeing or Airbus?
  Which aircraft manufacturer do you trust most?
flight.avoid_aircraft_type
  Are there any plane types you wish to avoid?
  Is there any kind of aircraft you'd like to avoid flying on?
flight.need_disability_access
  Will you need wheelchair assistance at the airport or on the plane?
  Does the flight have to offer disability access?
flight.need_travel_insurance
  Would you like to add travel insurance?
  Should I insure your trip?
  How about insurance for the trip?
hotel.preferred_room_type
  Which sort of accommodation suits you: a private room, an entire home?
  State your room type.
  Would you rather have a suite or a villa?
  What kind of place do you want to sleep in: a home of your own or just a room?
hotel.preferred_house_rules
  Are there any house rules you'd insist on?
  Any rules at the property that matter, like no smoking or quiet hours?
  Which house rule would you want your host to enforce?
hotel.preferred_brand
  Which hotel chain do you usually book?
  Do you have a favorite hotel brand, such as Hilton or Marriott?
  Hilton, Hyatt, Marriott: which one do you favour?
hotel.avoid_brand
  Which hotel chains should I stay away from?
  Do you dislike any hotel brand?
hotel.preferred_proximity
  Where should your hotel be located, e.g. near the beach or downtown?
  What location would you like for your hotel?
  Should your lodging be close to the beach, the airport or the center?
hotel.ratings
  What minimum star rating should the hotel have?
  How many stars should your hotel have?
  What's the lowest rating you would accept for a hotel?
hotel.preferred_amenities
  What amenities do you want at your hotel, such as a pool?
  Is there a hotel facility you can't do without: gym, pool, parking?
  Which hotel amenities can you not live without?
hotel.preferred_services
  Do you want services such as a concierge or laundry at the hotel?
  Which services should the hotel provide?
hotel.preferred_cancellation_policy
  What kind of cancellation terms do you want for your stay?
  Do you need to be able to cancel the hotel booking?
  How strict may the hotel's cancellation rules be?
hotel.preferred_room_features
  What features would you like in your room, such as a TV?
  Is there something your hotel room must have, say a safe or a minibar?
hotel.preferred_bathroom_features
  Do you prefer a bathtub or a shower?
  Okay. Do you like hair dryers in the bathroom?
  Anything special for the bathroom?
hotel.need_disability_access
  Does anyone in your group need wheelchair access at the hotel?
  Does the accommodation need to be step-free?
  Do you need an accessible hotel room?
restaurant.preferred_cuisines
  What food do you fancy most?
  What type of cuisine do you enjoy?
  Do you crave Italian, Chinese or something else?
  What are you hungry for: pizza, seafood, Korean?
  Which cuisine is your favorite?
restaurant.ratings
  How highly rated should the restaurants be?
  What's the lowest restaurant rating you'd accept?
  What rating should a restaurant have for you to go there?
restaurant.preferred_dining_style
  Do you prefer casual or formal dining?
  What atmosphere do you look for when eating out: buffet, fine dining?
  Food trucks, buffets or white tablecloths?
restaurant.preferred_seating_options
  Would you rather sit inside or outside when you eat?
  Do you like outdoor seating at restaurants?
  Do you like eating on a terrace or inside?
restaurant.preferred_payment_methods
  How will you pay for meals?
  Cash or card at restaurants?
  Which payment method do you use when dining out?
restaurant.can_reservations
  Would you like to book a table in advance?
  Do you need restaurants that take reservations?
  Should the restaurant accept reservations?
restaurant.preferred_parking_options
  Street parking at restaurants?
  Where would you park when eating out?
  Do you need valet parking when you go to eat?
restaurant.pet_friendly
  Should the restaurants be pet-friendly?
  Must we find eateries where dogs are welcome?
  Does the restaurant need to allow pets?
restaurant.allow_smoking
  Do you want to be able to smoke in the restaurant?
  Smoking or non-smoking when dining?
  Do you smoke, and should the restaurant allow it?
restaurant.need_live_music
  Should I look for live music in the restaurant for you?
  Would you enjoy a band while you dine?
  Do you enjoy live music with dinner?
restaurant.need_disability_access
  Do the restaurants need to be wheelchair accessible?
  Must restaurants have wheelchair access?
attraction.preferred_type
  What kind of sights do you enjoy?
  Are you more into museums, parks or shopping?
  What places would you like to visit?
  What do you want to see there: art, parks, history?
attraction.preferred_duration
  How much time would you like to spend at each sight?
  How many hours per attraction feel right?
  How long should a visit to an attraction take?
attraction.popularity
  Do you prefer famous spots or hidden gems?
  How popular should the places be that we visit?
  Do you go for the well-known attractions or quieter ones?
attraction.ratings
  What is the minimum rating for attractions?
  How good should the reviews of attractions be?
attraction.need_disability_access
  Do attractions need to be wheelchair accessible?
  Should the sights be barrier-free?
attraction.need_guided_tours
  Would you like a guide to show you around?
  Are you interested in guided tours?
  Shall I arrange a tour guide?
attraction.special_events
  Do you want to attend any events like concerts or festivals?
  Any special events you'd love to catch while there?
  Would a festival or concert interest you?
attraction.preferred_amenities
  What facilities should attractions offer, for instance restrooms or a gift shop?
  What should be available at attractions: food, toilets, Wi-Fi?
-
  Hello! How can I help you today?
  Hi there! Where are we heading?
  Nice weather, isn't it?
  How are you?
  Great, thank you.
  Is there anything else I should know?
  Thanks, your budget is noted.
  Lovely, a private room it is.
  Wonderful, I have everything I need. Shall I start planning?
  Hey, what's up?
  Can I help you with something?
  Is that right?
  Where do you live?
  Perfect! Anything else?
"""
"""An entry, then questions about it; `-` for what asks about none."""
