import type { Dataset, DatasetField } from '../../../../src/model/dataset.ts'

export interface FieldGroup {
  readonly title: string
  readonly fields: readonly DatasetField[]
}

/** Titles of groups with the prefixes of their fields; the first match wins. */
const groups: readonly (readonly [title: string, begins: RegExp])[] = [
  ['General', /^(?:RayID|ZoneName|Datetime|ID|When)$/],
  ['Custom fields', /^(?:Cookies|RequestHeaders|ResponseHeaders)$/],
  ['AI security', /^(?:AI|FirewallForAI)/],
  [
    'Security',
    /^(?:Security|WAF|MatchedRules|Leaked|Rule|Action$|Source$|Kind$|MatchIndex|Ref$|Fraud|ContentScan|Description|OriginatorRayID)/,
  ],
  ['Bots', /^(?:Bot|JA3|JA4|JSDetection|VerifiedBot)/],
  ['Client', /^Client/],
  ['Edge', /^Edge/],
  ['Origin', /^(?:Origin|SmartRoute|UpperTier)/],
  ['Cache', /^Cache/],
  ['Workers', /^(?:Worker|ParentRay|Subrequests)/],
  ['Actor', /^(?:Actor|Owner|Interface)/],
  ['Change', /^(?:NewValue|OldValue|Resource|ActionResult|ActionType)/],
]

/** The fields of a dataset by topic. */
export function fieldGroups(dataset: Dataset): readonly FieldGroup[] {
  const byTitle = new Map<string, DatasetField[]>(groups.map(([title]) => [title, []]))
  const others: DatasetField[] = []
  for (const field of dataset.fields) {
    const title = groups.find(([, begins]) => begins.test(field.name))?.[0]
    if (title === undefined) others.push(field)
    else byTitle.get(title)!.push(field)
  }
  const titled = [...byTitle].map(([title, fields]) => ({ title, fields }))
  return [...titled, { title: 'Other', fields: others }].filter(({ fields }) => fields.length > 0)
}

/** True when the field can have a value at a self-hosted edge. */
export function isFilled({ from }: DatasetField): boolean {
  return from !== 'none'
}
