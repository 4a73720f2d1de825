/** Countries (ISO 3166-1) of each continent, according to GeoNames. `T1` is Cloudflare's code for Tor. */
const countries: Readonly<Record<string, string>> = {
  AF: 'AO BF BI BJ BW CD CF CG CI CM CV DJ DZ EG EH ER ET GA GH GM GN GQ GW KE KM LR LS LY MA MG ML MR MU MW MZ NA NE NG RE RW SC SD SH SL SN SO SS ST SZ TD TG TN TZ UG YT ZA ZM ZW',
  AN: 'AQ BV GS HM TF',
  AS: 'AE AF AM AZ BD BH BN BT CC CN CX GE HK ID IL IN IO IQ IR JO JP KG KH KP KR KW KZ LA LB LK MM MN MO MV MY NP OM PH PK PS QA SA SG SY TH TJ TM TR TW UZ VN YE',
  EU: 'AD AL AT AX BA BE BG BY CH CY CZ DE DK EE ES FI FO FR GB GG GI GR HR HU IE IM IS IT JE LI LT LU LV MC MD ME MK MT NL NO PL PT RO RS RU SE SI SJ SK SM UA VA XK',
  NA: 'AG AI AW BB BL BM BQ BS BZ CA CR CU CW DM DO GD GL GP GT HN HT JM KN KY LC MF MQ MS MX NI PA PM PR SV SX TC TT US VC VG VI',
  OC: 'AS AU CK FJ FM GU KI MH MP NC NF NR NU NZ PF PG PN PW SB TK TL TO TV UM VU WF WS',
  SA: 'AR BO BR CL CO EC FK GF GY PE PY SR UY VE',
  T1: 'T1',
}

const continents: ReadonlyMap<string, string> = new Map(
  Object.entries(countries).flatMap(([continent, codes]) =>
    codes.split(' ').map((code): [string, string] => [code, continent]),
  ),
)

/** The continent's code; empty for an unknown country. @param country ISO 3166 code, upper case */
export function continentOf(country: string): string {
  return continents.get(country) ?? ''
}

/** Cloudflare's list: the member states and the territories that belong to the Union. */
const europeanUnion: ReadonlySet<string> = new Set(
  'AT AX BE BG CY CZ DE DK EE ES FI FR GF GP GR HR HU IE IT LT LU LV MF MQ MT NL PL PT RE RO SE SI SK YT'.split(
    ' ',
  ),
)

/** @param country ISO 3166 code, upper case */
export function isInEuropeanUnion(country: string): boolean {
  return europeanUnion.has(country)
}
