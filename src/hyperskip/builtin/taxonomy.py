"""The words of the built-in corpus: an outline of nouns, and tables of pairs of words.

Everything here is plain data, written by hand, and what parses it. A noun stands under exactly one
parent, which is its hypernym, and brings the words that it is typically met with.
"""

import re
from functools import cache
from typing import NamedTuple

# One line is `singular/plural: adjectives; verbs; things`, and `-` stands for "no plural". The
# indentation gives the hypernym, whose words are inherited. The verbs are what an animal, a person
# or the weather does, and what is done to anything else. Two nouns on one line share their words:
# the first is male, the second female. Within a parent the frequent nouns come first.
NOUNS = """
animal/animals: wild hungry tame; roam hide wander rest; forest zoo prey burrow
  mammal/mammals: furry warm; suckle graze; fur herd paw
    dog/dogs: loyal obedient; bark growl; kennel leash bone
      terrier/terriers: scruffy stubborn; dig yelp; burrow badger
      spaniel/spaniels: silky floppy; fetch splash; pheasant hunter
      poodle/poodles: pampered fluffy; prance pose; ribbon parlour
      greyhound/greyhounds: lean swift; sprint race; racetrack bet
    cat/cats: curious sleepy; purr meow; whisker cushion kitten
    horse/horses: tireless shaggy; gallop neigh; saddle stable rider
    bull/bulls cow/cows: horned calm; moo chew; pasture calf dairy
    mouse/mice: timid tiny; squeak nibble; cheese trap attic
    pig/pigs: muddy greedy; grunt wallow; sty trough mud
    goat/goats: bearded nimble; bleat butt; crag billy
    rabbit/rabbits: shy fluffy; hop thump; warren hutch clover
    lion/lions lioness/lionesses: proud golden; roar pounce; pride mane savanna
    wolf/wolves: grey fierce; howl prowl; pack moonlight
    bear/bears: grizzly clumsy; hibernate climb; cave honey cub
    tiger/tigers tigress/tigresses: striped deadly; stalk snarl; jungle stripe claw
    fox/foxes: sly cunning; sneak slink; lair trickster
    monkey/monkeys: cheeky agile; chatter swing; vine coconut
    elephant/elephants: huge wise; flap stomp; trunk tusk ivory
    stallion/stallions mare/mares: muscular graceful; trot rear; bridle hoof foal
    ram/rams ewe/ewes: woolly horned; bleat flock; fleece shepherd lamb
    camel/camels: patient humped; kneel spit; caravan dune oasis
    squirrel/squirrels: busy bushy; scamper hoard; acorn hollow
    donkey/donkeys: stubborn gentle; bray plod; cart burden
    whale/whales: enormous blue; dive surface; blubber harpoon plankton
    dolphin/dolphins: friendly clever; leap whistle; wave pod trainer
    ox/oxen: sturdy yoked; plough pull; yoke furrow
    giraffe/giraffes: spotted lanky; stretch browse; acacia neck
    hedgehog/hedgehogs: prickly nocturnal; curl snuffle; spine hedge
  bird/birds: feathered colourful; fly perch nest; feather wing beak
    eagle/eagles: majestic keen; soar swoop; talon cliff peak
    rooster/roosters hen/hens: plump feathery; strut peck; coop egg chick
    owl/owls: wise nocturnal; hoot blink; twilight belfry
    parrot/parrots: talkative chatty; squawk mimic; cage pirate
    pigeon/pigeons: drab urban; coo flutter; statue crumb
    sparrow/sparrows: little cheerful; chirp twitter; gutter seed
    goose/geese: noisy migrating; honk waddle; gander formation
    swan/swans: elegant mute; glide hiss; pond reflection
    penguin/penguins: antarctic flightless; waddle huddle; iceberg ice
    hawk/hawks: alert watchful; hover circle; falconer vole
    raven/ravens: black ominous; croak caw; omen tower
    ostrich/ostriches: gangly flightless; kick stride; plume ranch
    peacock/peacocks: vain dazzling; display strut; fan lawn
    flamingo/flamingos: rosy slender; wade stand; lagoon shrimp
    seagull/seagulls: bold coastal; screech scavenge; pier trawler
  fish/-: slippery scaly; shoal spawn; fin gill net
    shark/sharks: ruthless toothed; attack lurk; surfer cage diver
    salmon/-: pink leaping; leap migrate; rapids hatchery
    trout/-: speckled fresh; surge bite; brook angler
    goldfish/-: golden lonely; drift gulp; bowl pebble
    eel/eels: slimy electric; wriggle slither; reef crevice
    sardine/sardines: salted canned; cluster flash; tin oil
    tuna/-: oceanic sleek; cruise dart; cannery sandwich
    stingray/stingrays: flat venomous; glide sting; barb seabed
    piranha/piranhas: vicious hungry; swarm snap; amazon rapids
  insect/insects: tiny winged; crawl swarm buzz; antenna larva shell
    bee/bees: busy striped; hum pollinate; hive honey nectar
    ant/ants: tireless organised; march carry; colony anthill crumb
    butterfly/butterflies: delicate colourful; flutter drift; cocoon caterpillar meadow
    mosquito/mosquitoes: annoying bloodthirsty; bite whine; malaria fever repellent
    beetle/beetles: shiny armoured; scuttle burrow; dung bark
    wasp/wasps: angry aggressive; sting hover; jam picnic
    moth/moths: pale nocturnal; flutter nibble; lantern lampshade
    grasshopper/grasshoppers: green leggy; spring chirp; straw meadow
    ladybird/ladybirds: spotted lucky; creep land; aphid petal
    dragonfly/dragonflies: iridescent swift; skim dart; reed pond
    termite/termites: destructive blind; gnaw tunnel; mound timber
  reptile/reptiles: scaly ancient; bask hatch; scale egg rock
    snake/snakes: venomous slithery; hiss slither; fang venom pit
      cobra/cobras: hooded deadly; rear spit; charmer basket
      viper/vipers: coiled poisonous; strike coil; bracken heath
    lizard/lizards: quick scaly; scurry dart; crack wall
    crocodile/crocodiles: patient fearsome; snap lurk; riverbank jaw
    turtle/turtles: marine leathery; paddle nest; shell lagoon
    tortoise/tortoises: ancient wrinkly; plod hibernate; lettuce shell
    gecko/geckos: sticky nimble; climb cling; ceiling lamp
    chameleon/chameleons: camouflaged odd; blend stare; disguise twig
plant/plants: green wild potted; grow cultivate trim; soil garden root leaf
  tree/trees: leafy shady; fell climb shade; trunk branch forest
    oak/oaks: mighty ancient; carve chop; acorn barrel
    pine/pines: evergreen fragrant; decorate log; cone needle resin
    willow/willows: weeping graceful; weave coppice; riverbank cricketer
    maple/maples: gorgeous scarlet; tap admire; syrup autumn
    birch/birches: silvery slender; peel strip; besom steppe
    palm/palms: tropical swaying; climb shake; coconut lagoon
    cedar/cedars: fragrant reddish; split burn; chest shrine
    elm/elms: stately diseased; prune mourn; avenue rookery
    spruce/spruces: nordic conical; decorate harvest; christmas taiga
    poplar/poplars: upright columnar; topple admire; roadside canal
  flower/flowers: fragrant pretty blooming; pick arrange smell; petal vase bouquet
    rose/roses: thorny romantic; prune cut; thorn valentine
    tulip/tulips: waxy bold; export bundle; bulb windmill
    lily/lilies: pure white; float wreathe; funeral pond
    daisy/daisies: simple cheerful; thread pluck; chain lawn
    sunflower/sunflowers: giant sunny; press measure; seed oil
    orchid/orchids: exotic rare; pollinate mist; greenhouse collector
    poppy/poppies: scarlet papery; wear scatter; cornfield memorial
    daffodil/daffodils: yellow nodding; welcome force; springtime bulb
    marigold/marigolds: orange hardy; string offer; garland pilgrim
    carnation/carnations: frilly pink; pin dye; buttonhole corsage
  herb/herbs: aromatic dried; chop sprinkle; kitchen pot
    basil/-: fresh sweet; tear shred; pesto mozzarella
    parsley/-: curly flat; garnish mince; butter fishmonger
    thyme/-: woody dried; strip stuff; stew casserole
    rosemary/-: piney evergreen; roast infuse; skewer hedgerow
    coriander/-: pungent ground; crush toast; curry chutney
    dill/-: feathery pickled; pickle snip; gherkin brine
  cereal/cereals: golden ripe; sow harvest mill; field grain flour
    wheat/-: golden swaying; thresh grind; mill sheaf
    barley/-: nutty malted; sprout brew; brewery silo
    maize/-: yellow sweet; husk pop; popcorn tortilla
    rye/-: wholesome hardy; bake distil; crispbread ergot
    rice/-: sticky boiled; steam transplant; paddy chopstick
food/foods: tasty delicious fresh; taste serve share prepare; plate meal kitchen market
  fruit/fruits: ripe juicy sweet; pick peel slice; orchard basket
    apple/apples: crisp rosy; bite core; orchard worm
    banana/bananas: yellow bendy; peel mash; bunch smoothie
    lemon/lemons: sour zesty; squeeze grate; zest wedge
    grape/grapes: seedless purple; crush tread; vineyard raisin
    strawberry/strawberries: red summery; dip hull; cream picnic
    cherry/cherries: glossy sour; pit spit; cocktail blossom
    peach/peaches: fuzzy velvety; poach halve; cobbler nectar
    pear/pears: green mellow; poach ripen; perry partridge
    plum/plums: purple dried; stew preserve; prune brandy
    mango/mangoes: tropical fragrant; dice pickle; chutney monsoon
    melon/melons: watery refreshing; scoop thump; rind slice
    pineapple/pineapples: spiky tropical; carve core; chunk cocktail
    raspberry/raspberries: delicate tart; gather freeze; bramble jam
    fig/figs: dried sticky; stuff quarter; honey prosciutto
  vegetable/vegetables: healthy raw leafy; boil chop steam; soup allotment salad
    potato/potatoes: starchy baked; mash fry; chip sack
    tomato/tomatoes: red juicy; chop tin; ketchup pizza
    carrot/carrots: orange crunchy; grate dice; hummus snowman
    onion/onions: pungent sliced; chop caramelise; gravy tears
    cabbage/cabbages: leafy pickled; shred ferment; slaw sauerkraut
    cucumber/cucumbers: cool watery; slice pickle; sandwich yoghurt
    pumpkin/pumpkins: huge orange; hollow carve; halloween ghost
    spinach/-: leafy tender; wilt blanch; sailor quiche
    garlic/-: smelly crushed; crush mince; clove vampire
    turnip/turnips: humble earthy; uproot pull; fodder peasant
    leek/leeks: mild tender; braise trim; broth emblem
    radish/radishes: peppery crunchy; wash rinse; bunch garnish
  drink/drinks: icy refreshing; gulp pour sip; tumbler bottle cup straw
    tea/-: milky soothing; brew stir; teapot saucer
    coffee/-: bitter black; roast grind; mug espresso caffeine
    wine/-: fine vintage; decant uncork; cellar cork vineyard
    beer/-: foamy bitter; brew chug; pub pint keg
    juice/-: squeezed fruity; squeeze blend; carton straw
    lemonade/-: fizzy homemade; sweeten guzzle; pitcher stall
    cocoa/-: creamy frothy; whisk warm; marshmallow mug
    cider/-: cloudy crisp; ferment press; orchard scrumpy
    whisky/-: smoky aged; distil age; distillery malt cask
    champagne/-: sparkling expensive; sip pop; toast celebration
  meat/meats: lean tender; roast grill carve; skewer oven gravy
    beef/-: minced salted; stew braise; burger cattle
    pork/-: salty fatty; cure shred; crackling applesauce
    bacon/-: smoked crispy; fry cure; rasher breakfast
    ham/-: cured glazed; glaze smoke; mustard sandwich
    steak/steaks: rare sizzling; sear season; grill sirloin
    sausage/sausages: spicy fat; prick grill; mustard barbecue
    venison/-: gamey wild; hang marinate; estate juniper
  dessert/desserts: sugary sweet creamy; bake order decorate; sugar bowl dinner
    cake/cakes: festive iced; bake layer; candle icing party
    pie/pies: flaky homemade; fill crimp; crust pastry
    pudding/puddings: steamed stodgy; steam set; custard raisin
    pancake/pancakes: buttery fluffy; flip toss; syrup batter
    cookie/cookies: crunchy chewy; dunk bake; jar chocolate
    doughnut/doughnuts: glazed round; fry glaze; hole sprinkles
    jelly/jellies: wobbly clear; set mould; gelatine mould
  bread/-: crusty fresh; bake knead slice; bakery yeast toast
    loaf/loaves: sliced stale; slice cut; bakery crumb
    bun/buns: squashy sticky; toast glaze; currant burger
    bagel/bagels: dense toasted; boil spread; deli sesame
    baguette/baguettes: crunchy crisp; carry tear; picnic brie
vehicle/vehicles: speedy modern parked; drive steer park; road engine wheel driver
  car/cars: new shiny; lock wash; garage motorway tyre
    taxi/taxis: yellow shared; book call; fare meter
    limousine/limousines: stretched luxurious; hire book; chauffeur celebrity
    jeep/jeeps: rugged military; winch overturn; safari terrain
    convertible/convertibles: sporty open; wax rent; windscreen breeze
  bus/buses: crowded late; await miss; stop timetable conductor
  train/trains: express punctual; board miss; railway platform locomotive
  truck/trucks: rumbling loaded; load unload; cargo trailer
  bicycle/bicycles: rusty folding; pedal lock; pedal pump
  van/vans: white battered; load borrow; parcel courier
  motorcycle/motorcycles: noisy powerful; rev straddle; leather biker
  tram/trams: electric rattling; ride board; rail depot
  tractor/tractors: muddy rumbling; hitch tow; plough hay
  ambulance/ambulances: urgent speeding; summon dispatch; siren stretcher
  wagon/wagons: wooden covered; haul hitch; prairie pioneer
  carriage/carriages: royal horsedrawn; draw escort; coachman footman
  scooter/scooters: zippy nippy; ride rent; kerb helmet
  boat/boats: seaworthy floating; sail row moor; harbour oar anchor
    ferry/ferries: regular crowded; board cross; strait passenger
    yacht/yachts: luxurious private; charter race; marina billionaire
    canoe/canoes: wobbly slender; paddle capsize; rapids paddle
    raft/rafts: makeshift inflatable; float lash; castaway rope
    gondola/gondolas: romantic black; punt decorate; lagoon serenade
    kayak/kayaks: slim inuit; roll paddle; fjord paddle
  aircraft/-: airborne silent; fly land pilot; airport runway sky pilot
    plane/planes: delayed crowded; board crash; luggage ticket turbulence
    helicopter/helicopters: hovering noisy; charter summon; rotor rescuer
    jet/jets: supersonic private; fuel scramble; hangar squadron
    glider/gliders: silent graceful; tow launch; thermal winch
    airship/airships: stately enormous; inflate moor; hydrogen mast
tool/tools: useful handy sturdy; use hold sharpen; workshop toolbox handle
  hammer/hammers: blunt hefty; swing pound; nail anvil
  axe/axes: hefty gleaming; swing grind; lumberjack firewood
  shovel/shovels: earthy grimy; dig scoop; ditch gravel
  screwdriver/screwdrivers: magnetic flat; twist turn; screw hinge
  ladder/ladders: wobbly folding; climb lean; rung roof
  wrench/wrenches: adjustable greasy; tighten loosen; bolt pipe
  rake/rakes: rusty bamboo; drag pull; leaf gravel
  chisel/chisels: blunt fine; tap strike; woodcarver joint
  hoe/hoes: simple weathered; scrape pull; weed furrow
  sickle/sickles: curved crescent; sharpen wave; haystack reaper
  crowbar/crowbars: bent solid; wield grip; burglar crate
  utensil/utensils: spotless handy; wash rinse; kitchen drawer sink
    knife/knives: pointed serrated; sharpen wield; blade board
    spoon/spoons: sugary wooden; stir lick; soup sugar
    fork/forks: pronged bent; bend drop; noodle prong
    ladle/ladles: dripping dented; dip scoop; soup cauldron
    spatula/spatulas: bendy flexible; flip scrape; batter pan
    grater/graters: scratchy coarse; rub scrape; nutmeg zest
    sieve/sieves: fine round; shake sift; flour lump
  weapon/weapons: dangerous deadly; carry aim draw; war enemy soldier
    sword/swords: legendary gleaming; wield sheathe; knight scabbard
    rifle/rifles: loaded automatic; fire reload; bullet sniper
    spear/spears: pointed tribal; lob hurl; shield warrior
    pistol/pistols: concealed loaded; fire cock; duel holster
    cannon/cannons: smoking thundering; fire haul; fortress gunpowder
    dagger/daggers: hidden jewelled; conceal plunge; assassin poison
    crossbow/crossbows: medieval powerful; load crank; archer battlement
clothing/-: warm stylish fashionable; wear wash sew; button hanger pocket
  shirt/shirts: ironed checked; press tuck; collar cuff tie
  coat/coats: quilted woollen; hang drape; hook lining
  dress/dresses: glamorous elegant; zip hem; ballroom sequin
  jacket/jackets: hooded waterproof; fasten shrug; lapel biker
  skirt/skirts: pleated swirly; pleat swirl; waist hem
  sweater/sweaters: knitted baggy; knit unravel; yarn sleeve
  scarf/scarves: woollen stripy; wrap knot; fringe neck
  glove/gloves: padded leather; remove misplace; finger goalkeeper
  sock/socks: smelly odd; darn pair; toe laundry
  belt/belts: tight leather; buckle tighten; buckle waist
  apron/aprons: stained frilly; tie knot; chef flour
  cloak/cloaks: hooded flowing; drape swirl; hood highwayman
  gown/gowns: flowing formal; trail lace; ceremony graduate
  hat/hats: jaunty crumpled; tip doff; brim feather head
    cap/caps: flat peaked; twist reverse; peak visor
    beret/berets: parisian tilted; tilt cock; paratrooper easel
    bonnet/bonnets: lacy quaint; tie trim; ribbon pram
    turban/turbans: jewelled wound; wrap unwind; sultan maharajah
    sombrero/sombreros: floppy embroidered; fling adjust; mariachi fiesta
  shoe/shoes: polished comfortable; shine lace; sole heel cobbler
    boot/boots: muddy sturdy; stamp pull; puddle hiker
    sandal/sandals: strappy open; buckle slip; seaside pilgrim
    slipper/slippers: cosy fluffy; warm misplace; hearth ball
    sneaker/sneakers: trendy sporty; lace scuff; gym skateboard
    clog/clogs: wooden clumsy; varnish carve; windmill dairymaid
furniture/-: comfortable antique wooden; own move arrange; room parlour upholstery
  seat/seats: upholstered empty; occupy offer; cushion row
    chair/chairs: wooden rocking; tilt straddle; leg backrest
    sofa/sofas: leather saggy; plump vacuum; lounge television
    bench/benches: weathered mossy; share varnish; park statue
    stool/stools: wobbly rickety; drag tip; bar milkmaid
    armchair/armchairs: cosy padded; drag mend; fireplace pipe
  bed/beds: cosy rumpled; make share; pillow blanket sheet
  table/tables: round oval; set clear; tablecloth dinner
  desk/desks: tidy cluttered; tidy organise; office computer pen
  shelf/shelves: dusty sagging; dust stack; jar bracket
  cupboard/cupboards: locked empty; open search; plate skeleton
  wardrobe/wardrobes: bulky mirrored; open stuff; cedarwood mothball
  bookcase/bookcases: crammed towering; fill dust; novel encyclopaedia
  dresser/dressers: scratched oaken; display arrange; crockery mirror
  cradle/cradles: rocking tiny; rock carve; lullaby infant
instrument/instruments: musical tuneful tuned; play tune practise; orchestra melody concert
  piano/pianos: grand upright; tune pound; keyboard sonata
  guitar/guitars: acoustic electric; strum pluck; chord campfire
  violin/violins: squeaky precious; bow restring; concerto string
  drum/drums: booming thumping; beat bang; rhythm stick
  flute/flutes: breathy slender; blow finger; shepherd nightingale
  trumpet/trumpets: brassy muted; blow sound; fanfare herald
  harp/harps: golden celtic; pluck caress; heaven string
  cello/cellos: sonorous mellow; bow grip; quartet suite
  clarinet/clarinets: jazzy woody; blow assemble; reed swing
  saxophone/saxophones: smoky sultry; blow wail; jazz nightclub
  trombone/trombones: sliding brassy; slide raise; slide parade
  banjo/banjos: twangy folksy; pick strum; bluegrass porch
  accordion/accordions: wheezy portable; squeeze pump; polka bistro
  oboe/oboes: nasal plaintive; blow moisten; reed pitch
  harmonica/harmonicas: bluesy wheezy; cup suck; cowboy blues
person/people: kind clever friendly honest; chat smile relax argue; home friend crowd neighbour
  man/men woman/women: grown sensible; vote gamble; crowd street
  child/children: little naughty; giggle cry; toy playground sweet
    boy/boys girl/girls: freckled cheeky; skip tease; toy swing bedtime
    schoolboy/schoolboys schoolgirl/schoolgirls: studious tidy; copy revise; homework satchel exam
  relative/relatives: beloved distant; visit embrace; family wedding reunion
    father/fathers mother/mothers: caring strict; scold comfort; parent baby upbringing
    brother/brothers sister/sisters: elder twin; squabble confide; sibling bunk rivalry
    son/sons daughter/daughters: eldest grown; disobey inherit; parent firstborn
    husband/husbands wife/wives: faithful married; nag cuddle; marriage divorce anniversary
    uncle/uncles aunt/aunts: jovial eccentric; spoil chuckle; present godchild
    grandfather/grandfathers grandmother/grandmothers: wrinkled retired; reminisce doze; album cane
    nephew/nephews niece/nieces: boisterous spoiled; babble pester; christening postcard
    grandson/grandsons granddaughter/granddaughters: darling cherished; beg snuggle; gifts sweets
    groom/grooms bride/brides: nervous veiled; blush vow; altar vow honeymoon
    stepfather/stepfathers stepmother/stepmothers: wicked stern; resent adopt; remarriage quarrel
    cousin/cousins: favourite distant; gossip visit; reunion surname
  noble/nobles: wealthy powerful; bow inherit; court estate servant
    king/kings queen/queens: royal crowned; reign decree; throne crown kingdom
    prince/princes princess/princesses: charming royal; waltz elope; fairytale ball dragon
    duke/dukes duchess/duchesses: titled haughty; hunt patronise; duchy manor
    emperor/emperors empress/empresses: imperial mighty; conquer command; empire dynasty legion
    baron/barons baroness/baronesses: feudal ruthless; tax feud; barony moat
    lord/lords lady/ladies: gracious genteel; dine preside; butler mansion chandelier
  worker/workers: skilled tired busy; work earn toil; office boss wage overalls
    teacher/teachers: strict patient; instruct explain; pupil lesson classroom
    doctor/doctors: trusted qualified; diagnose prescribe; patient medicine clinic
    farmer/farmers: weathered sturdy; plough milk; scarecrow crop harvest
    nurse/nurses: caring gentle; bandage soothe; ward patient syringe
    policeman/policemen policewoman/policewomen: uniformed watchful; arrest patrol; thief badge
    waiter/waiters waitress/waitresses: polite attentive; serve bow; menu tip tray
    salesman/salesmen saleswoman/saleswomen: pushy persuasive; persuade haggle; customer discount
    businessman/businessmen businesswoman/businesswomen: shrewd driven; invest bargain; profit deal
    steward/stewards stewardess/stewardesses: courteous uniformed; assist announce; cabin seatbelt
    lawyer/lawyers: cunning eloquent; plead object; judge trial contract
    engineer/engineers: practical inventive; design calculate; bridge blueprint
    baker/bakers: floury early; bake knead; dough oven
    butcher/butchers: burly jolly; chop trim; cleaver carcass
    carpenter/carpenters: skilful careful; sand measure; timber sawdust
    plumber/plumbers: expensive handy; drip weld; leak pipe tap
    dentist/dentists: gentle dreaded; drill extract; tooth filling
    tailor/tailors: nimble meticulous; stitch measure; needle thread
    miner/miners: sooty underground; tunnel cough; coal shaft
  artist/artists: creative gifted; create exhibit; studio masterpiece gallery
    actor/actors actress/actresses: famous dramatic; rehearse perform; stage film audience
    painter/painters: abstract impressionist; doodle sketch; canvas brush easel
    poet/poets: romantic melancholy; rhyme recite; verse sonnet
    musician/musicians: talented amateur; busk improvise; band concert
    sculptor/sculptors: dusty classical; carve mould; plinth bust
    dancer/dancers: supple graceful; twirl pirouette; ballet tutu
  scientist/scientists: brilliant curious; research experiment; laboratory notebook conference
    chemist/chemists: careful organic; dilute titrate; acid molecule
    physicist/physicists: theoretical nuclear; calculate collide; atom particle
    biologist/biologists: marine molecular; classify dissect; gene specimen
    astronomer/astronomers: stargazing patient; observe gaze; telescope planet comet
    geologist/geologists: outdoor rugged; drill map; fossil quake
  athlete/athletes: fit competitive; exercise compete; medal stadium race
    runner/runners: breathless exhausted; sprint jog; marathon lap
    swimmer/swimmers: athletic tanned; dive float; pool goggles
    boxer/boxers: bruised heavyweight; punch spar; ring knockout
    golfer/golfers: suntanned retired; putt swing; fairway caddie
    gymnast/gymnasts: flexible bendy; tumble somersault; beam mat
  hero/heroes heroine/heroines: brave legendary; rescue triumph; quest legend villain
  wizard/wizards witch/witches: magic mysterious; conjure enchant; spell wand potion
  monk/monks nun/nuns: pious silent; pray chant; monastery prayer vow
  god/gods goddess/goddesses: immortal divine; punish bless; heaven myth worshipper
  host/hosts hostess/hostesses: welcoming generous; entertain greet; guest party invitation
  heir/heirs heiress/heiresses: spoiled sole; inherit squander; fortune will scandal
place/places: famous charming beautiful; visit leave reach; map road tourist
  country/countries: foreign neighbouring; govern invade; border embassy
  city/cities: bustling ancient; govern besiege; suburb skyline
  building/buildings: imposing historic; renovate enter demolish; roof wall architect door
    house/houses: cosy brick; rent decorate; chimney mortgage family
    school/schools: primary strict; attend skip; pupil lesson bell
    church/churches: gothic holy; attend bless; steeple priest congregation
    hospital/hospitals: crowded modern; fund staff; ward surgeon patient
    hotel/hotels: luxurious seaside; book manage; lobby suite guest
    castle/castles: haunted ruined; besiege defend; moat drawbridge knight
    library/libraries: silent dusty; join browse; book librarian
    museum/museums: national fascinating; tour curate; exhibit curator
    theatre/theatres: packed victorian; fill applaud; curtain stage
    factory/factories: noisy polluted; close automate; machine assembly
    restaurant/restaurants: fancy romantic; review recommend; menu chef
    prison/prisons: grim overcrowded; escape guard; cell inmate
    temple/temples: sacred buddhist; desecrate restore; incense shrine
    barn/barns: draughty red; store stack; hay straw
    cottage/cottages: thatched rural; thatch rent; thatch ivy
    mosque/mosques: domed sacred; attend restore; minaret imam
    warehouse/warehouses: vast abandoned; store stock; crate forklift
  landform/landforms: natural rugged scenic; explore cross photograph; landscape hiker horizon
    mountain/mountains: snowy steep; climb scale; summit peak climber
    island/islands: remote tropical; circle discover; shore castaway
    lake/lakes: frozen calm; circle dredge; shore jetty
    valley/valleys: green fertile; farm irrigate; stream vineyard
    hill/hills: grassy gentle; climb descend; slope shepherd
    beach/beaches: sandy sunny; comb sweep; sand towel wave
    desert/deserts: barren scorching; irrigate brave; dune cactus
    volcano/volcanoes: active smoking; monitor escape; lava crater
    canyon/canyons: winding rocky; carve hike; gorge cliff
    glacier/glaciers: melting icy; melt study; ice crevasse
    swamp/swamps: misty foul; drain avoid; frog reed
organ/organs: healthy human vital; examine protect transplant; body blood surgeon
  heart/hearts: beating broken; mend bypass; pulse artery
  eye/eyes: blue watery; rub close; eyelid tear vision
  brain/brains: intelligent complex; scan stimulate; memory neuron skull
  ear/ears: pointed deaf; pierce cover; earring hearing
  lung/lungs: healthy collapsed; inflate damage; breath smoke
  stomach/stomachs: empty upset; fill rub; digestion ulcer
  liver/livers: fatty damaged; poison biopsy; alcohol bile
  kidney/kidneys: failing donated; donate filter; dialysis urine
  skin/skins: wrinkled tanned; moisturise burn; rash lotion
  tongue/tongues: pink forked; bite burn; mouth taste
sport/sports: popular exciting competitive; play watch enjoy; team match champion
  football/-: professional amateur; ; goal referee
  tennis/-: mixed indoor; ; racket net
  basketball/-: urban; ; hoop court
  golf/-: leisurely costly; ; fairway caddie bunker
  hockey/-: icy frosty; ; puck rink
  baseball/-: american nostalgic; ; inning pitcher
  rugby/-: brutal muddy; ; scrum try
  swimming/-: synchronised refreshing; ; pool lane
  boxing/-: brutal bloody; ; ring punchbag
  skiing/-: alpine downhill; ; slope lift
  cycling/-: gruelling scenic; ; helmet peloton
  wrestling/-: theatrical staged; ; mat hold
  badminton/-: gentle indoor; ; shuttlecock net
  fencing/-: olympic formal; ; mask foil
  archery/-: precise ancient; ; arrow target
weather/-: awful pleasant changeable; arrive return pass continue; sky season forecast cloud
  rain/-: torrential steady; fall pour; umbrella puddle
  snow/-: white powdery; fall drift; sledge snowman
  wind/-: icy gusty; blow howl; kite sail
  sunshine/-: dazzling golden; shine sparkle; picnic sunglasses
  fog/-: dense grey; lift linger; lighthouse foghorn
  frost/-: glittering white; bite glitter; windowpane scraper
  thunder/-: deafening distant; rumble crash; drumroll echo
  lightning/-: forked blinding; flash strike; rod spark
  drizzle/-: fine dreary; fall soak; raincoat pavement
  hail/-: painful sudden; pelt bounce; windscreen crop
  storm/storms: violent sudden; rage approach; shelter damage
    hurricane/hurricanes: tropical raging; devastate surge; coast evacuation
    tornado/tornadoes: twisting deadly; spin rip; funnel prairie
    blizzard/blizzards: arctic whirling; whirl bury; drift snowplough
colour/colours: vivid pale gaudy; dab choose mix; paint rainbow palette
  red/-: fiery blazing; ; blood lipstick fire
  blue/-: cobalt navy; ; sky sea jeans
  green/-: lush emerald; ; grass leaf moss
  white/-: pure snowy; ; milk chalk
  black/-: glossy inky; ; coal night crow
  yellow/-: sunny golden; ; sun canary custard
  brown/-: earthy chestnut; ; chocolate soil toast
  pink/-: rosy girlish; ; blush bubblegum ballet
  grey/-: dull gloomy; ; ash cloud concrete
  purple/-: royal regal; ; lavender bruise amethyst
  turquoise/-: tropical greenish; ; lagoon gem tile
  beige/-: bland neutral; ; carpet curtain raincoat
material/materials: durable modern raw; use produce recycle; surface product supplier
  metal/metals: shiny glowing molten; melt weld forge; mine foundry ore
    iron/-: rusty cast; forge smelt; gate horseshoe
    gold/-: pure precious; pan hoard; ring treasure
    silver/-: sterling tarnished; buff engrave; necklace candlestick
    steel/-: stainless tough; temper roll; girder skyscraper
    copper/-: reddish conductive; coil conduct; wire kettle
    bronze/-: ancient cast; cast melt; statue medal
    aluminium/-: crinkly foldable; roll crush; foil can
  fabric/fabrics: stretchy woven printed; weave dye sew; loom curtain thread
    cotton/-: plain breathable; spin pick; towel plantation
    silk/-: luxurious shimmering; spin import; kimono cocoon
    wool/-: itchy warm; knit shear; jumper blanket
    linen/-: crisp cool; crease fold; napkin flax
    velvet/-: plush crimson; stroke drape; curtain jewel
    denim/-: faded rugged; fade rip; jeans rivet
  stone/stones: solid grey; quarry carve cut; quarry mason wall
    marble/-: polished veined; chip sculpt; statue column
    granite/-: speckled grainy; blast hew; worktop kerb
    limestone/-: porous pale; erode quarry; cave fossil
    slate/-: brittle flaky; split tile; roof blackboard
  wood/-: knotty seasoned; varnish burn; timber plank
  glass/-: fragile transparent; blow shatter; window lens
  plastic/-: flexible disposable; mould dump; bag toy
  paper/-: glossy blank; fold tear; printer envelope
  rubber/-: elastic bouncy; stretch vulcanise; tyre eraser
  clay/-: squidgy sticky; mould fire; pot kiln
"""

# country capital nationality: where it lies; what it is known for. Neighbours share these words.
COUNTRIES = """
france paris french: atlantic alps; vineyards opera
germany berlin german: baltic alps; breweries robots
england london english: atlantic archipelago; pubs cricket
italy rome italian: mediterranean alps; vineyards opera
spain madrid spanish: mediterranean atlantic; vineyards olives
russia moscow russian: arctic steppe; vodka ballet
japan tokyo japanese: pacific archipelago; noodles robots
china beijing chinese: pacific himalayas; noodles bamboo
india delhi indian: himalayas jungle; spices cricket
greece athens greek: mediterranean balkans; olives yoghurt
egypt cairo egyptian: mediterranean sahara; dates ruins
canada ottawa canadian: arctic pacific; moose lumber
australia canberra australian: pacific dunes; vineyards cricket
portugal lisbon portuguese: atlantic mediterranean; seafood olives
ireland dublin irish: atlantic archipelago; pubs poetry
scotland edinburgh scottish: atlantic highlands; pubs poetry
austria vienna austrian: danube alps; opera ballet
poland warsaw polish: baltic carpathians; dumplings beetroot
sweden stockholm swedish: baltic scandinavia; lumber herring
norway oslo norwegian: arctic scandinavia; moose herring
denmark copenhagen danish: baltic scandinavia; herring windmills
finland helsinki finnish: baltic arctic; lumber reindeer
netherlands amsterdam dutch: atlantic lowlands; windmills herring
belgium brussels belgian: atlantic lowlands; breweries chocolate
hungary budapest hungarian: danube carpathians; paprika dumplings
czechia prague czech: alps carpathians; breweries dumplings
romania bucharest romanian: danube carpathians; dumplings brandy
bulgaria sofia bulgarian: danube balkans; yoghurt ruins
serbia belgrade serbian: danube balkans; paprika brandy
croatia zagreb croatian: mediterranean balkans; seafood brandy
ukraine kyiv ukrainian: steppe carpathians; vodka beetroot
turkey ankara turkish: mediterranean highlands; kebabs carpets
iran tehran iranian: dunes highlands; oil carpets
iraq baghdad iraqi: dunes levant; oil dates
syria damascus syrian: dunes levant; kebabs ruins
lebanon beirut lebanese: mediterranean levant; kebabs olives
morocco rabat moroccan: atlantic sahara; spices carpets
tunisia tunis tunisian: mediterranean sahara; olives dates
kenya nairobi kenyan: savannah highlands; beans drumming
ghana accra ghanaian: atlantic savannah; chocolate drumming
nigeria abuja nigerian: savannah sahara; oil drumming
thailand bangkok thai: jungle mekong; noodles pagodas
vietnam hanoi vietnamese: jungle mekong; bamboo pagodas
indonesia jakarta indonesian: jungle archipelago; spices sugarcane
nepal kathmandu nepalese: himalayas highlands; yaks pagodas
pakistan islamabad pakistani: himalayas dunes; carpets cricket
mongolia ulaanbaatar mongolian: steppe dunes; yaks reindeer
cuba havana cuban: caribbean archipelago; sugarcane salsa
peru lima peruvian: andes amazon; llamas ruins
chile santiago chilean: andes pacific; llamas vineyards
colombia bogota colombian: amazon caribbean; beans salsa
venezuela caracas venezuelan: amazon caribbean; oil salsa
"""

# adjective comparative superlative: the things that are typically so
ADJECTIVES = """
big bigger biggest: mammal building country
small smaller smallest: insect bird boat
old older oldest: building city noble tree
young younger youngest: relative artist child mammal
tall taller tallest: tree building athlete
short shorter shortest: person tree seat
long longer longest: reptile train boat
hot hotter hottest: drink weather food
cold colder coldest: drink weather landform
fast faster fastest: vehicle aircraft athlete
slow slower slowest: vehicle reptile worker
strong stronger strongest: athlete metal mammal
weak weaker weakest: organ drink child
rich richer richest: noble relative country
poor poorer poorest: worker child country
cheap cheaper cheapest: clothing food furniture
heavy heavier heaviest: tool metal furniture
light lighter lightest: fabric aircraft shoe
deep deeper deepest: landform colour
high higher highest: landform building aircraft
low lower lowest: furniture landform seat
loud louder loudest: instrument storm bird
quiet quieter quietest: child bird city
clean cleaner cleanest: utensil clothing building
dirty dirtier dirtiest: shoe tool city
bright brighter brightest: colour flower weather
dark darker darkest: colour building hat
sharp sharper sharpest: weapon utensil tool
thick thicker thickest: fabric tree bread
thin thinner thinnest: fabric dessert material
wide wider widest: landform seat hat
narrow narrower narrowest: boat seat shoe
soft softer softest: fabric bread seat
hard harder hardest: stone metal bread
happy happier happiest: relative artist dog
sad sadder saddest: artist noble instrument
wet wetter wettest: clothing plant weather
dry drier driest: cereal bread landform
rough rougher roughest: sport stone fabric
smooth smoother smoothest: stone fabric organ
"""

# verb past preposition: what it is done to, or with, or where
VERBS = """
walk walked to: landform building city
talk talked about: sport weather country
sing sang to: child relative
write wrote about: noble country artist
buy bought -: clothing furniture vehicle
sell sold -: furniture food instrument
win won -: metal vehicle
throw threw -: stone vegetable
catch caught -: fish insect
dance danced with: relative artist
laugh laughed at: hat mammal
speak spoke to: worker scientist noble
sit sat on: seat landform
lie lay on: bed landform seat
wake woke near: mammal city
learn learned about: scientist country
forget forgot -: hat utensil
find found -: metal flower city
lose lost -: shoe clothing
break broke -: utensil furniture
repair repaired -: vehicle tool shoe
build built -: building boat city
bring brought -: dessert drink flower
send sent -: flower worker
pay paid -: worker artist
steal stole -: metal car fruit
hear heard -: bird instrument storm
see saw -: mammal bird city
feel felt -: weather fabric
keep kept -: dog bird weapon
meet met -: relative scientist athlete
fight fought with: weapon noble
shout shouted at: athlete child
wait waited for: vehicle weather
listen listened to: instrument artist
"""

# Words whose article is not the one that their first letter suggests.
CONSONANT_SOUND = {"ewe", "ukrainian", "uniformed", "university", "useful", "utensil"}
VOWEL_SOUND = {"heir", "heiress", "honest"}

MALE_NAMES = """
john peter henry thomas paul david george robert edward james simon oliver
martin daniel stephen philip walter harold
"""

FEMALE_NAMES = """
mary anna susan emma laura helen julia sarah alice martha clara sophie
margaret elizabeth catherine jane eleanor edith
"""


class Noun(NamedTuple):
    """A noun of the outline, with the words that are typical of it and of no other in its place."""

    singular: str
    plural: str | None
    ancestors: tuple[str, ...]  # its hypernyms, the nearest first
    rank: int  # 0 for the most frequent noun of its parent
    gender: str | None  # "male", "female", or None for most
    adjectives: tuple[str, ...]
    verbs: tuple[str, ...]
    things: tuple[str, ...]


class Country(NamedTuple):
    """A country and the words of its own."""

    name: str
    capital: str
    nationality: str
    sights: tuple[str, ...]
    specialities: tuple[str, ...]


class Adjective(NamedTuple):
    """An adjective, its degrees, and the things that are typically so."""

    base: str
    comparative: str
    superlative: str
    things: tuple[str, ...]


class Verb(NamedTuple):
    """A verb, its past tense, and what follows it."""

    present: str
    past: str
    preposition: str  # empty where the verb takes a direct object
    things: tuple[str, ...]


@cache
def nouns() -> dict[str, Noun]:
    """Parse the outline: every noun by its singular, parents before their children."""
    found: dict[str, Noun] = {}
    path: list[str] = []
    child_count: dict[str, int] = {}
    for line in NOUNS.strip().splitlines():
        depth = (len(line) - len(line.lstrip())) // 2
        forms, words = line.split(":")
        adjectives, verbs, things = (tuple(field.split()) for field in words.split(";"))
        del path[depth:]
        parent = path[-1] if path else ""
        rank = child_count[parent] = child_count.get(parent, -1) + 1
        genders = ("male", "female") if len(forms.split()) == 2 else (None,)
        for form, gender in zip(forms.split(), genders, strict=True):
            singular, plural = form.split("/")
            found[singular] = Noun(
                singular,
                None if plural == "-" else plural,
                tuple(reversed(path)),
                rank,
                gender,
                adjectives,
                verbs,
                things,
            )
        path.append(forms.split("/")[0].strip())
    return found


@cache
def gender_pairs() -> tuple[tuple[str, str], ...]:
    """Male and female nouns that share a line of the outline."""
    male = [noun.singular for noun in nouns().values() if noun.gender == "male"]
    female = [noun.singular for noun in nouns().values() if noun.gender == "female"]
    return tuple(zip(male, female, strict=True))


@cache
def countries() -> tuple[Country, ...]:
    """The countries, the frequent ones first."""
    parsed = []
    for line in COUNTRIES.strip().splitlines():
        names, sights, specialities = re.split("[:;]", line)
        name, capital, nationality = names.split()
        parsed.append(
            Country(name, capital, nationality, tuple(sights.split()), tuple(specialities.split()))
        )
    return tuple(parsed)


@cache
def adjectives() -> tuple[Adjective, ...]:
    """The adjectives that have degrees."""
    parsed = []
    for line in ADJECTIVES.strip().splitlines():
        degrees, things = line.split(":")
        base, comparative, superlative = degrees.split()
        parsed.append(Adjective(base, comparative, superlative, tuple(things.split())))
    return tuple(parsed)


@cache
def verbs() -> tuple[Verb, ...]:
    """The verbs whose past tense is asked for."""
    parsed = []
    for line in VERBS.strip().splitlines():
        head, things = line.split(":")
        present, past, preposition = head.split()
        parsed.append(
            Verb(present, past, "" if preposition == "-" else preposition, tuple(things.split()))
        )
    return tuple(parsed)
