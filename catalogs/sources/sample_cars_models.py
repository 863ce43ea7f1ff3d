"""The makes and models that `sample:cars` draws from, as one table of text.

A line `= Make | popularity flags` opens a make; every other line is one run of a model:

    Model | years size styles drives gearboxes price engine... [!flags] [*weight]

- years, and the `@` ranges after a style or an engine: two digits each, `90-04` or `17`
- size: C compact, M midsize, L large
- styles: comma-joined keys of `sample_cars.STYLES`, a repeated one is more common
- drives: f front, r rear, a all, 4 four wheel drive; a repeated letter is more common
- gearboxes: A automatic, M manual, S automated manual, E direct drive
- price: base and top trim in thousands of dollars, in the last year of the run
- engine: cylinders (`?` for rotary), a key of `sample_cars.FUELS`, horsepower in the engine's
  last year; base engine first
- flags: L luxury, X exotic, T factory tuner, C crossover; a make's flags hold for its models
- weight: how common the run is beside others of its length and breadth (1 if absent)

The figures are round ones from general knowledge of these cars, not a price list.
"""

MODELS = """
= Acura | 340 L
ILX | 13-17 C sed f AAS 28-35 4o150@13-15 4o201 4q111@13-14
Integra | 90-01 C sed,hb2 f AMM 16-22 4r140 4o170@94-01
Legend | 90-95 M sed,cou f AAM 33-42 6o200
MDX | 14-17 M suv fa A 43-58 6p290 6z321@17 !C
RDX | 13-17 C suv fa A 35-42 6o279 !C
TL | 96-08 M sed f AAAM 28-38 6p258
TLX | 15-17 M sed ffa AS 31-44 4o206 6o290
TSX | 04-14 C sed,sed,wag@11 f AAM 26-35 4o201 6o280@10
= Aston Martin | 390 XL
DB9 | 05-16 M cou,con r A 190-220 12p510
Rapide | 10-16 L sed r A 200-222 12p552
V8 Vantage | 06-17 C cou,con r MS 118-145 8p430
= Audi | 2480 L
100 | 92-94 M sed,wag fa AM 32-45 6p172
A3 | 15-17 C sed,con fa S 31-43 4o170 4o220 4d150@15-16
A4 | 96-08 C sed,wag fa AAM 29-42 4p200 6p255
A4 | 09-17 M sed,sed,wag@09-12 faa AM 33-47 4o252
A5 | 08-17 C cou,cou,con faa AM 41-57 4p220
A6 | 95-11 M sed,sed,wag faa A 45-58 6p300
A6 | 12-17 M sed faa A 47-66 4p252 6p333 6d240@14-16
A8 | 97-17 L sed a A 78-115 8p435 6p333@13-17
Q3 | 15-17 C suv fa A 32-41 4p200 !C
Q5 | 09-17 C suv a A 41-56 4p220 6p272 6d240@14-16 !C
Q7 | 07-17 L suv a A 49-68 6p333 6d240@09-15 !C
R8 | 08-17 C cou,con a MSS 129-195 8p430@08-15 10p540 !XT
TT | 00-17 C cou,con fa AMS 43-50 4p220
= Bentley | 610 XL
Bentayga | 17 L suv a A 230-245 12p600
Continental GT | 04-17 M cou,con a A 200-250 8x500@13 12x582
Flying Spur | 06-17 L sed a A 190-230 8p500@14 12p616
Mulsanne | 11-17 L sed r A 304-340 8p505
= BMW | 4120 L
2 Series | 14-17 C cou,con ra AAM 34-49 4p240 6p335
3 Series | 90-05 C sed,sed,cou,con,wag@99 r AAM 28-42 6p184 6p225
3 Series | 06-11 C sed,sed,wag ra AAM 34-45 6p230 6p300 6d265@09-11
3 Series | 06-13 C cou,con r AM 39-52 6p230 6p300
3 Series | 12-17 M sed ra AAM 34-50 4p180 4p248 6p320 4d180@14 4z248@16 *2
4 Series | 14-17 M cou,con ra AAM 42-58 4p248 6p335 *2
5 Series | 90-10 M sed,sed,wag@92 rra AAM 44-62 6p230 6p300 8p360@94
5 Series | 11-17 L sed ra A 51-72 4p248 6p335 8p445 6d255@14-16 *2
7 Series | 90-17 L sed rra A 82-155 6p320 8p445 12p601
M3 | 95-15 C cou,cou,sed,con r MMS 54-70 6p333@01-06 8p414@08-13 6p240@95-99 6p425@15 !T
M5 | 99-17 M sed r MS 75-96 8p400@99-03 10p500@06-10 8p560@13-17 !T
X1 | 13-17 C suv raa A 32-40 4p228 6p300@13-15 !C
X3 | 04-17 C suv raa AAAM 39-49 4p240@13 6p300 4d180@15 !C
X5 | 00-17 M suv raa A 55-75 6p300 8p445 6d255@09-17 4z308@16 !C
Z4 | 03-16 C con,con,cou@06-08 r AMM 49-66 4p240@12 6p300 6p335
i3 | 14-17 C hb4 r E 42-48 0e170 *2
= Buick | 230
Enclave | 08-17 L suv fa A 39-49 6r288 !CL
Encore | 13-17 C suv fa A 23-32 4r138 4r153@16 !C
LaCrosse | 05-17 L sed ffa A 32-45 4r182@12-16 6f310
LeSabre | 90-05 L sed f A 26-34 6r205 *2
Regal | 90-04 M sed,sed,cou f A 22-28 6r200 6p240@97
Regal | 11-17 M sed ffa AAM 27-40 4r182 4o259 4f182@11-14
Verano | 12-17 C sed f AAM 22-30 4r180 4o250@13-16
= Cadillac | 1510 L
ATS | 13-17 C sed,sed,cou@15 rra AAM 34-52 4o202@13-15 4o272 6o335
CTS | 03-13 M sed,sed,wag@10,cou@11 rra AAM 36-52 6r255 6o318
CTS | 14-17 M sed rra A 46-70 4o268 6o335 6p420
DTS | 06-11 L sed f A 46-60 8o292
DeVille | 90-05 L sed,sed,cou@90-93 f A 45-53 8p290
Escalade | 07-17 L suv r44 A 73-98 8y420 8h332@09-13
SRX | 04-16 M suv fa A 38-53 6f308 8p320@04-09 !C
XT5 | 17 M suv fa A 39-63 6r310 !C
XTS | 13-17 L sed ffa A 46-73 6r304 6p410@14
= Chevrolet | 1460
Avalanche | 02-13 L crew r4 A 36-50 8f320
Bolt EV | 17 C hb4 f E 37-41 0e200 *2
Camaro | 90-02 M cou,con r AM 18-30 6r200 8r310
Camaro | 10-15 M cou,cou,con r AAM 24-45 6r323 8o426
Camaro | 16-17 M cou,cou,con r AM 26-50 4o275 6r335 8o455
Cavalier | 90-05 C sed,cou,con@90-00 f AM 13-18 4r140
Colorado | 15-17 M ext,crew r4 AAAM 20-36 4r200 6r308 4d181@16
Corvette | 90-13 C cou,con r AM 50-64 8o430
Corvette | 14-17 C cou,con r AM 56-78 8o455 8o460
Cruze | 11-15 C sed f AAM 17-25 4r138 4d151@14-15
Cruze | 16-17 C sed,hb4@17 f AAM 17-25 4r153 *2
Equinox | 05-17 M suv ffa A 24-34 4r182 6f301 4f182@10-15 !C
Express | 96-17 L pvan,cvan rra A 29-39 6r276@03 8f285 8b342@11 *0.5
Impala | 00-17 L sed f A 27-37 4r196@14 6f305 6b260@15 *1.5
Malibu | 97-17 M sed f A 21-31 4r163 4o250@13 6r252@06-12 4h182@16 *1.5
S-10 | 90-03 C reg,ext,crew@01 r4 AM 13-24 4r120 6r190
Silverado 1500 | 99-17 L reg,ext,crew,crew r4 A 28-54 6f285 8f355 8r420@09 *2.5
Sonic | 12-17 C sed,hb4 f AM 15-21 4r138
Spark | 13-17 C hb4 f AM 13-17 4r98
Tahoe | 95-17 L suv,suv,su2@95-99 r4 A 47-66 8f355 8h332@08-13
Traverse | 09-17 L suv fa A 29-45 6r281 !C
Volt | 11-17 C hb4 f A 33-38 4z149 *2
= Chrysler | 960
200 | 11-14 M sed,sed,con f A 20-33 4r173 6f283
200 | 15-17 M sed ffa A 22-31 4r184 6f295 *1.5
300 | 05-17 L sed rra A 32-45 6f292 8r363 *2
300M | 99-04 L sed f A 28-32 6r250
PT Cruiser | 01-10 C wag,wag,con@05-08 f AM 16-25 4r150 4r220@03-07
Sebring | 96-10 M sed,con,cou@96-05 f A 20-33 4r173 6r235
Town and Country | 90-16 L pmv f A 30-42 6f283
= Dodge | 1790
Avenger | 08-14 M sed f A 20-27 4r173 6f283
Challenger | 08-17 L cou r AAM 27-50 6r305 8o375 8p485 *1.5
Charger | 06-17 L sed rra A 28-50 6f292 8r370 8p485 *1.5
Charger SRT Hellcat | 15-17 L sed r A 63-67 8p707 !T
Dart | 13-16 C sed f AAM 17-24 4r160 4r184
Durango | 11-17 L suv ra A 30-44 6f293 8r360 *1.5
Grand Caravan | 90-17 L pmv,pmv,cmv@90-07 f A 22-32 6f283
Intrepid | 93-04 L sed f A 20-26 6r200 6r244
Journey | 09-17 M suv fa A 21-34 4r173 6f283 !C *1.5
Neon | 95-05 C sed,cou@95-99 f AM 13-17 4r132
Ram 1500 | 94-10 L reg,ext,crew@02 r4 AAM 21-42 6r215 8f310 8r390 *1.5
= Ferrari | 2950 X
360 | 00-05 C cou,con r MS 155-195 8p400
458 Italia | 10-15 C cou,con r S 230-265 8p570
488 | 16-17 C cou,con r S 245-280 8p661
California | 09-17 C con r S 195-203 8p552
F12 Berlinetta | 13-17 C cou r S 315-325 12p731
= FIAT | 720
500 | 12-17 C hb2,hb2,con f AM 15-27 4o101 4o135 4o160
500X | 16-17 C suv ffa AAM 20-28 4o160 4r180 !C
500e | 13-17 C hb2 f E 32-33 0e111
= Ford | 5210
C-Max Hybrid | 13-17 C wag f A 24-31 4h188
Edge | 07-17 M suv ffa A 29-45 4r245@12 6r280 6o315@15 !C *1.5
Escape | 13-17 C suv fa A 24-35 4r168 4r179 4o245 !C *1.5
Escort | 90-03 C sed,hb2@90-96,wag@91-99 f AM 11-14 4r110
Expedition | 97-17 L suv r4 A 46-66 8f310@97-14 6r365@15
Explorer | 91-10 M suv,suv,su2@91-03 r4 AAM 27-40 6r210 8f292@96
Explorer | 11-17 L suv ffa A 32-54 4r280 6r290 6o365@13 !C *2
F-150 | 90-08 L reg,ext,crew@01 r4 AAM 21-41 6r202 8f300 *2
F-150 | 09-17 L reg,ext,crew,crew r4 A 27-60 6f282@11 8f385 6r325@15 6r365@11 *2.5
F-250 Super Duty | 99-17 L reg,ext,crew r4 A 33-60 8f385 8d440
Fiesta | 11-17 C sed,hb4 f MS 14-20 4r120
Focus | 00-11 C sed,hb2@00-07,wag@00-07 f AM 15-20 4r140
Focus | 12-17 C sed,hb4 f MS 17-25 3r123@15 4f160 *1.5
Focus Electric | 12-17 C hb4 f E 29-31 0e143
Fusion | 06-12 M sed ffa AAM 20-29 4r175 6f240 4h191@10
Fusion | 13-17 M sed ffa A 22-37 4r175 4r231 4h188 6o325@17 *2
Mustang | 90-04 C cou,con r AM 17-28 6r193 8r260
Mustang | 05-14 C cou,con r AM 22-40 6r305 8r420
Mustang | 15-17 C cou,con r AM 25-47 6r300 4o310 8r435 *1.5
Ranger | 90-11 C reg,ext r4 AM 18-27 4r143 6r207 *1.5
Taurus | 90-09 M sed,sed,wag@90-05 f A 19-27 6f155 6r200
Taurus | 10-17 L sed ffa A 27-41 4r240@13 6f288 6r365
= GMC | 480
Acadia | 07-16 L suv fa A 31-50 6r288 !C *1.5
Canyon | 15-17 M ext,crew r4 AAAM 21-38 4r200 6r308 4d181@16
Savana | 96-17 L pvan,cvan rra A 29-39 6r276@03 8f285 8b342@11 *0.5
Sierra 1500 | 99-17 L reg,ext,crew,crew r4 A 29-56 6f285 8f355 8r420@09 *1.5
Terrain | 10-17 M suv ffa A 24-37 4r182 6f301 4f182@11-15 !C *1.5
Yukon | 92-17 L suv,suv,su2@92-97 r4 A 49-68 8f355 8y420@08 8h332@08-13
= Honda | 2310
Accord | 90-07 M sed,sed,cou,wag@91-97 f AAM 18-30 4r166 6r244@95 6h253@05-07
Accord | 08-17 L sed f AAM 23-36 4r185 6r278 4h212@14 *2
Accord | 08-17 M cou f AM 24-33 4r185 6r278
CR-V | 97-17 C suv fa A 24-34 4r184 !C *1.5
Civic | 90-11 C sed,sed,cou,hb2@90-00 f AM 15-22 4r140
Civic | 03-15 C sed f A 22-27 4h110 4n110@06
Civic | 12-17 C sed,sed,cou,hb4@17 f AAM 19-27 4r158 4r174@16 *2
Civic Si | 99-15 C cou,cou,sed@07 f M 22-24 4p201 !T
Fit | 07-17 C hb4 f AM 16-22 4r130
HR-V | 16-17 C suv fa AAM 19-26 4r141 !C
Odyssey | 95-17 L pmv f A 30-45 6r248 *1.5
Pilot | 03-17 L suv fa A 30-47 6r280 !C *1.5
Ridgeline | 06-17 M crew ffa A 30-43 6r280
= Hyundai | 1540
Accent | 95-17 C sed,hb4,hb2@95-11 f AM 15-19 4r137
Azera | 06-17 L sed f A 34-39 6r293
Elantra | 92-17 C sed,sed,wag@96-02,cou@13-14 f AAM 17-25 4r147
Genesis | 09-16 L sed rra A 38-55 6r311 8o420
Genesis Coupe | 10-16 C cou r AM 27-36 4o274@10-14 6o348
Santa Fe | 01-17 M suv fa A 25-41 4r185 6r290 4o265@13 !C
Sonata | 90-17 M sed f A 22-35 4r185 4r245@11 6r249@99-10 4h193@11 *1.5
Tucson | 05-17 C suv fa AAAM 23-32 4r164 4r175@16 !C
Veloster | 12-17 C hb2 f MS 18-24 4r132 4r201
= Infiniti | 270 L
FX | 03-13 M suv ra A 45-62 6p303 8p390 !C
G35 | 03-07 M sed,sed,cou r AAM 31-39 6p306
G37 | 08-13 M sed,sed,cou,con rra AAM 37-52 6p328
M | 06-13 M sed rra A 48-67 6p330 8p420 6z360@12
Q50 | 14-17 M sed ra A 34-51 4p208@16 6p328 6z360
Q70 | 14-17 L sed ra A 50-68 6p330 8p420 6z360
QX50 | 14-17 C suv ra A 35-42 6p325 !C
QX60 | 14-17 L suv fa A 43-53 6r265 4q250@14-16 !C *1.5
QX80 | 14-17 L suv r4 A 64-89 8p400
= Jaguar | 700 L
F-PACE | 17 M suv a A 41-69 4d180 6p340 !C
F-Type | 14-17 C cou@15,con ra AAS 62-106 6p340 8p550
XF | 09-17 M sed rra A 47-68 4p240@13 6p340@13 8p385@09-15
XJ | 90-17 L sed rra A 74-105 6p340 8p470@98
= Jeep | 3300
Cherokee | 14-17 M suv fa A 24-38 4r184 6r271 !C *2
Compass | 07-17 C suv fa AAM 20-29 4r158 4r172 !C
Grand Cherokee | 93-10 M suv r4 A 31-43 6r210 8r305
Grand Cherokee | 11-17 M suv r4 A 30-54 6f293 8r360 6d240@14-16 *1.5
Renegade | 15-17 C suv fa AAM 18-28 4r160 4r180 !C
Wrangler | 90-17 C suc 4 AM 24-38 4r125@90-06 6r285
Wrangler Unlimited | 07-17 M suv 4 AM 28-42 6r285
= Kia | 1650
Cadenza | 14-17 L sed f A 32-44 6r290
Forte | 10-17 C sed,sed,cou@10-16,hb4 f AAM 17-25 4r147 4r164 4r201@14
K900 | 15-17 L sed r A 50-63 6o311 8o420 !L
Optima | 01-17 M sed f A 22-36 4r185 4r245@11 4h192@11 *1.5
Rio | 01-17 C sed,hb4@06 f AM 14-20 4r138
Sedona | 02-17 L pmv f A 27-42 6r276
Sorento | 11-17 M suv fa A 26-46 4r185 4r240@16 6r290 !C
Soul | 10-17 C wag f AM 16-24 4r130 4r161
Sportage | 95-17 C suv fa AAAM 23-34 4r181 4r240@11 !C
= Lamborghini | 1230 X
Aventador | 12-17 C cou,con a S 398-490 12p691 !T
Gallardo | 04-14 C cou,con a MSS 182-260 10p550
Huracan | 15-17 C cou,con a S 200-263 10p602
= Land Rover | 310 L
Discovery Sport | 15-17 C suv 4 A 38-47 4p240 !C
LR2 | 08-15 C suv 4 A 36-42 4p240 !C
LR4 | 10-16 L suv 4 A 50-62 8p375@10-13 6p340@14
Range Rover | 90-02 L suv 4 A 50-70 8p222
Range Rover | 03-17 L suv 4 A 85-140 6p340@14 8p510
Range Rover Evoque | 12-17 C suv,su2 a A 42-61 4p240 !C
Range Rover Sport | 06-17 M suv 4 A 65-95 6d254@16 6p340@14 8p510
= Lexus | 560 L
CT 200h | 11-17 C hb4 f A 31-38 4h134
ES | 90-12 M sed f A 36-44 6o272
ES 300h | 13-17 M sed f A 41-45 4h200
ES 350 | 13-17 M sed f A 38-43 6r268
GS | 93-12 M sed rra A 46-57 6p303 8p342@98 6z340@07
GX | 03-17 L suv 4 A 50-64 8p301
IS | 01-13 C sed,sed,con@10 rra AAM 35-47 6p204 6p306@06
IS | 14-17 C sed rra A 38-48 4p241@16 6p306 *1.5
LS | 90-17 L sed rra A 72-121 8p386 8z438@08
NX | 15-17 C suv fa A 35-45 4o235 4h194 !C
RC | 15-17 C cou ra A 40-65 4p241@16 6p306 8p467
RX | 99-17 M suv fa A 42-58 6r295 6h308@06 !C *1.5
= Lincoln | 95 L
Continental | 90-02 L sed f A 38-42 8p275
MKC | 15-17 C suv fa A 33-48 4o240 4o285 !C
MKX | 07-17 M suv fa A 38-58 6r303 6o335@16 !C
MKZ | 07-17 M sed ffa A 35-52 4h188@11 4o240@13 6o400
Navigator | 98-17 L suv r4 A 60-76 8f310@98-14 6o380@15
Town Car | 90-11 L sed r A 47-56 8f239
= Maserati | 300 LX
Ghibli | 14-17 M sed ra A 70-85 6p345 6p404
GranTurismo | 08-17 M cou,con@10 r AS 130-165 8p454
Quattroporte | 05-17 L sed ra A 102-142 6p404@14 8p523
= Mazda | 690
2 | 11-14 C hb4 f AM 15-18 4r100
3 | 04-17 C sed,hb4 f AM 18-28 4r155 4r184 *2
5 | 06-15 C pmv f AM 21-26 4r157
6 | 03-13 M sed,sed,wag@04-07 f AM 21-31 4r170 6r272
6 | 14-17 M sed f AM 22-33 4r184
626 | 90-02 M sed f AM 18-24 4r130 6r170@93
CX-3 | 16-17 C suv fa A 20-27 4r146 !C
CX-5 | 13-17 C suv fa AAAM 22-32 4r155@13-16 4r187 !C *1.5
CX-9 | 07-17 L suv fa A 31-44 6r273@07-15 4r227@16 !C
MX-5 Miata | 90-17 C con r AM 25-32 4p155 *1.5
RX-8 | 04-11 C cou r AM 27-33 ?p212 ?p232
= Mercedes-Benz | 740 L
C-Class | 94-11 C sed,sed,wag@02-05 rra AAM 34-44 4p189 6p268
C-Class | 12-17 C sed,sed,cou rra A 40-55 4p241 6p362 *1.5
CLA-Class | 14-17 C sed fa S 32-50 4p208 4p375
CLS-Class | 06-17 M sed ra A 67-83 6p329 8p402
E-Class | 90-09 M sed,sed,wag@94 rra A 52-62 6p268 8p382@98 6d210@05
E-Class | 10-17 M sed,sed,wag ra A 53-68 6p302 6p329 4d195@14-16 *1.5
E-Class | 10-17 C cou,con r A 53-69 6p302 8p402
G-Class | 02-17 L suv 4 A 120-142 8p416
GLA-Class | 15-17 C suv fa S 33-50 4p208 4p375 !C
GLC-Class | 16-17 C suv ra A 39-45 4p241 !C
GLE-Class | 16-17 M suv raa A 51-67 6p302 6p329 4d201@16 !C
GL-Class | 07-16 L suv a A 65-92 6d240@10 6p362@13 8p429 !C
M-Class | 98-15 M suv raa A 49-64 6p302 8p402 4d200@15 !C
S-Class | 90-17 L sed,sed,cou rra A 97-190 6p329@14 8p449 12p523@94
SL-Class | 90-17 C con r A 86-152 6p329@13 8p449
= MINI | 880
Clubman | 16-17 C wag fa AM 24-35 3p134 4p189
Cooper | 02-17 C hb2,hb2,con,hb4@15 f AM 21-33 3p134@14 4p118@02-13 4p189
Cooper Countryman | 11-16 C suv fa AM 22-36 4p121 4p181 !C
= Mitsubishi | 520
Eclipse | 90-12 C hb2,hb2,con@96 f AM 19-30 4r162 6o265@00
Galant | 90-12 M sed f AAAM 21-28 4r160 6r230@99
Lancer | 02-17 C sed,sed,hb4@10-14 ffa AM 17-24 4r148 4r168
Lancer Evolution | 03-15 C sed a MMS 34-41 4p291 !T
Mirage | 14-17 C hb4,sed@17 f AM 12-17 3r78 *1.5
Outlander | 03-17 M suv fa A 23-32 4r166 6o224@07 !C
i-MiEV | 12-17 C hb4 r E 22-24 0e66
= Nissan | 2140
300ZX | 90-96 C hb2,con@93 r AM 33-45 6p222 6p300
370Z | 09-17 C cou,con r AMM 30-50 6p332 6p350
Altima | 93-12 M sed,sed,cou@08 f AAAM 21-31 4r175 6o270@02 4h198@07-11
Altima | 13-17 M sed f A 22-33 4r182 6o270 *1.5
Frontier | 98-17 C ext,crew@00,reg@98-04 r4 AM 18-34 4r152 6r261 *1.5
GT-R | 09-17 C cou a S 110-175 6p565 6p600@15 !XT
Juke | 11-17 C suv fa AAAM 20-29 4o188 4p215@13 !C
Leaf | 11-17 C hb4 f E 29-37 0e107 *2
Maxima | 90-17 M sed f A 32-40 6o300 *1.5
Murano | 03-17 M suv fa A 30-43 6r260 !C
Pathfinder | 90-12 M suv r4 AAM 29-41 6r266
Pathfinder | 13-17 L suv fa A 30-44 6r284 !C *1.5
Quest | 93-17 L pmv f A 27-44 6r260
Rogue | 08-17 C suv fa A 23-32 4r170 4h176@17 !C *1.5
Sentra | 90-17 C sed,sed,cou@90-94 f AM 17-25 4r130 4o188@17
Titan | 04-17 L ext,crew,crew r4 A 30-57 8r390
Versa | 07-17 C sed,hb4@07-12 f AM 12-17 4r109
= Oldsmobile | 55
Alero | 99-04 C sed,cou f AAM 18-24 4r140 6r170
Aurora | 95-03 L sed f A 31-36 6r215@01 8p250
Cutlass Supreme | 90-97 M sed,cou,con@90-95 f A 17-21 6r160
Eighty-Eight | 90-99 L sed f A 20-26 6r205 *2
= Pontiac | 290
Bonneville | 90-05 L sed f A 27-35 6r205 8p275@04
Firebird | 90-02 M cou,con@91 r AM 19-31 6r200 8r310
G6 | 05-10 M sed,sed,cou,con f A 18-31 4r169 6r222
Grand Am | 90-05 M sed,cou f AAM 17-23 4r140 6r170
Grand Prix | 90-08 M sed,sed,cou@90-02 f A 22-30 6r200 6p260@97
= Porsche | 1620 L
911 | 90-17 C cou,cou,con ra AMSS 85-155 6p370 6p420 6p540 !X
944 | 90-91 C hb2,con r M 42-50 4p208
Boxster | 97-16 C con r AMS 52-74 6p265 6p315
Cayenne | 03-17 L suv a A 60-115 6p300 6d240@13-16 8p420 8p520 !C
Macan | 15-17 C suv a S 48-76 4p252@17 6p340 6p400 !C
Panamera | 10-16 L hb4 raa S 79-142 6p310 8p440 8p520
= Rolls-Royce | 115 XL
Ghost | 10-17 L sed r A 255-310 12p563
Phantom | 04-17 L sed,sed,cou,con r A 410-535 12p453
Wraith | 14-17 L cou r A 290-320 12p624
= Saab | 450
9-3 | 99-11 C sed@03,con,hb2@99-02 f AM 29-43 4p210 6p255@06
9-5 | 99-11 M sed,sed,wag ffa AAM 39-50 4p220 6p300 !L
900 | 90-98 C hb4,hb2,con f AMM 25-41 4r150 4p185
9000 | 90-98 M hb4,sed@90-95 f AM 30-38 4r146 4p200
= Scion | 120
FR-S | 13-16 C cou r AM 26-30 4p200
tC | 05-16 C hb2 f AM 19-24 4r179
xB | 04-15 C wag f AM 17-20 4r158
= Subaru | 830
BRZ | 13-17 C cou r AM 26-31 4p205
Crosstrek | 13-17 C suv a AM 22-29 4r148 4h160@14-16 !C *1.5
Forester | 98-17 C suv a AAM 23-35 4r170 4o250@04 !C *1.5
Impreza | 93-17 C sed,hb4@08,wag@93-07 a AM 18-26 4r152
Legacy | 90-17 M sed,sed,wag@90-07 a AAM 22-35 4r175 6r256@08
Outback | 00-17 M wag@00-09,suv@10 a AAM 26-39 4r175 6r256 !C *1.5
WRX | 02-17 C sed,sed,hb4@08-14 a AMM 27-39 4p268 4p305 !T
= Suzuki | 510
Grand Vitara | 99-13 C suv r4 AAM 20-27 4r166 6r230@99-10
Kizashi | 10-13 M sed fa AM 19-27 4r185
SX4 | 07-13 C sed,hb4 fa AM 14-20 4r150
Swift | 90-01 C hb2,sed@90-94 f AM 8-10 4r79
XL7 | 99-09 M suv r4 A 22-30 6r252
= Tesla | 2600 L
Model S | 12-17 L sed r E 66-95 0e362 *2
Model S | 14-17 L sed a E 71-135 0e417 0e463 *2
Model X | 16-17 L suv a E 82-116 0e328 0e463 !C
= Toyota | 2750
4Runner | 90-17 M suv r4 A 34-45 6r270 *1.5
Avalon | 95-17 L sed f A 33-42 6r268 4h200@13 *1.5
Camry | 90-01 M sed,sed,cou@94,wag@90-96 f AAM 18-26 4r136 6r194
Camry | 02-17 M sed f A 23-33 4r178 6r268 4h200@07 *2
Celica | 90-05 C cou,cou,con@90-99 f AM 17-26 4r140 4p180@00
Corolla | 90-08 C sed,sed,wag@90-96 f AM 14-18 4r130
Corolla | 09-17 C sed f AAM 18-24 4r132 4r140 *2
Highlander | 01-17 M suv fa A 31-49 4r185 6r295 6h306@06 !C *1.5
Prius | 04-17 M hb4 f A 24-33 4h121 *1.5
RAV4 | 96-17 C suv fa A 24-36 4r176 4h194@16 6r269@06-12 !C *1.5
Sequoia | 01-17 L suv r4 A 46-67 8f381
Sienna | 98-17 L pmv ffa A 29-48 6r296 *1.5
Tacoma | 95-04 C reg,ext,crew@01 r4 AM 15-25 4r142 6r190
Tacoma | 05-17 M reg@05-14,ext,crew r4 AAM 24-42 4r159 6r278 *1.5
Tercel | 90-98 C sed,cou f AM 10-13 4r93
Tundra | 00-17 L reg,ext,crew@04 r4 A 28-50 6r270@00-14 8r310 8f381@07 *1.5
Venza | 09-15 M wag fa A 29-39 4r182 6r268 !C
Yaris | 07-17 C hb4,hb2,sed@07-12 f AM 15-18 4r106
= Volkswagen | 940
Beetle | 98-17 C hb2 f AMS 20-33 4r170 4r210 4d150@13-15
Beetle Convertible | 03-17 C con f AMS 25-36 4r170 4r210
GTI | 06-17 C hb2@06-16,hb4 f MS 25-36 4o210 4o220@16
Golf | 90-17 C hb4,hb2@90-16 f AMS 19-27 4r170 4d150@98-15
Jetta | 90-17 C sed f AAM 18-32 4r150 4r170 4d150@97-15 4o210@06 4q170@13-16 *1.5
Passat | 90-10 M sed,sed,wag ffa AAM 27-38 4p200 6p280
Passat | 12-17 M sed f AAS 23-35 4r170 6r280 4d150@12-15 *1.5
Tiguan | 09-17 C suv fa A 25-38 4o200 !C *1.5
Touareg | 04-17 M suv a A 44-64 6p280 6d240@09-16 !CL
e-Golf | 15-17 C hb4 f E 29-36 0e115
= Volvo | 910
240 | 90-93 M sed,wag r AM 21-24 4r114
850 | 93-97 M sed,wag f AM 26-34 5r168 5p222@94
940 | 91-95 M sed,wag r A 24-29 4r114 4p162
S40 | 00-11 C sed ffa AAM 25-32 4r168@00-11 5p227@04 !L
S60 | 01-17 M sed ffa A 34-48 4o240@15 5r250@01-15 6o325@11 !L *1.5
S80 | 99-16 L sed fa A 40-51 6r240 6o300@08-15 !L
XC60 | 10-17 M suv fa A 37-52 6r240@10-15 4o240@15 6o300 !CL *1.5
XC90 | 03-17 M suv fa A 44-60 5r208@03-06 6r235@07-14 4p250@16 4p316@16 !CL
"""
