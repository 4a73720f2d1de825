/** A word or phrase that prose and names avoid. */
export interface Refusal {
  /** Matches in text as `flatSource` and `flatMarkdown` return it. */
  readonly pattern: RegExp
  /** The replacement, for the writer. */
  readonly instead: string
}

/** The beginning of a sentence, comment, string, cell or element. */
const start = String.raw`(?<=(?:^|[¶\n|.;!>\x60'"(]) ?)`
/** The sentence is not a question. */
const statement = String.raw`(?![^.!¶\n<"\x60]*\?)`

export const refusals: readonly Refusal[] = [
  { pattern: /\banew\b/gi, instead: 'again' },
  { pattern: /\b[Nn]obody\b/g, instead: 'no client, no user, no rule; or the passive voice' },
  { pattern: /\bwhatever\b/gi, instead: 'any, every, regardless of' },
  { pattern: /\bwhoever\b/gi, instead: 'the client, user, caller, operator' },
  { pattern: /\bof (?:its|their|his|your|our|one['’]s) own\b/gi, instead: 'its own …, separate, dedicated' },
  { pattern: /\blog push\b/gi, instead: 'Logpush' },
  {
    pattern: /(?<![A-Za-z])[Rr]ooms?(?![a-z])|(?<=[a-z])Rooms?(?![a-z])/g,
    instead: 'space, capacity, module',
  },
  { pattern: /(?<![A-Za-z])[Dd]oors?(?![a-z])|(?<=[a-z])Doors?(?![a-z])/g, instead: 'entry point' },
  { pattern: /\bthose (?:that|who|which)\b/gi, instead: 'the noun: the records that …' },
  {
    pattern: /\bthat of (?:an?|the|its|their|another|one|each|every)\b/gi,
    instead: 'the noun: the name of the …',
  },
  {
    pattern: new RegExp(`${start}what (?!if\\b)(?=[a-z])${statement}`, 'gi'),
    instead: 'a noun in place of "what"',
  },
  {
    pattern: new RegExp(
      String.raw`(?:[,;] (?:and |but )?|\b(?:that|because|while|than) )what (?:is|was|comes|came|goes|has|cannot|can|does|did|no)\b${statement}`,
      'gi',
    ),
    instead: 'a noun in place of "what"',
  },
  { pattern: new RegExp(`${start}who (?=[a-z])${statement}`, 'gi'), instead: 'a noun in place of "who"' },
]
