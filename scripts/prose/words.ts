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

/** Matches a word, also in the plural and as a part of a name. */
function name(word: string): RegExp {
  const capital = word[0]!.toUpperCase() + word.slice(1)
  return new RegExp(`(?<![A-Za-z])(?:${word}|${capital})s?(?![a-z])|(?<=[a-z])${capital}s?(?![a-z])`, 'g')
}

export const refusals: readonly Refusal[] = [
  { pattern: /\banew\b/gi, instead: 'again' },
  { pattern: /\b[Nn]obody\b/g, instead: 'no client, no user, no rule; or the passive voice' },
  { pattern: /\bwhatever\b/gi, instead: 'any, every, regardless of' },
  { pattern: /\b(?:some|any)body\b/gi, instead: 'someone else, a user, a client; or the passive voice' },
  { pattern: /\bbe had\b/gi, instead: 'is available, was obtained' },
  {
    pattern: new RegExp(`\\bwhat becomes of\\b${statement}`, 'g'),
    instead: 'the noun: the outcome, the counts of …',
  },
  { pattern: /\bcom(?:es?|ing) over\b/gi, instead: 'use, arrive over' },
  { pattern: /\b(?:is|are) at work\b/gi, instead: 'runs, is in progress' },
  { pattern: /\bwhoever\b/gi, instead: 'the client, user, caller, operator' },
  { pattern: /\bof (?:its|their|his|your|our|one['’]s) own\b/gi, instead: 'its own …, separate, dedicated' },
  { pattern: /\blog push\b/gi, instead: 'Logpush' },
  // Waiting Rooms are a product of Cloudflare's.
  {
    pattern: /(?<!Waiting |[A-Za-z])(?:room|Room)s?(?![a-z])|(?<=[a-z])Rooms?(?![a-z])/g,
    instead: 'space, capacity, module',
  },
  { pattern: name('door'), instead: 'entry point' },
  { pattern: name('gate'), instead: 'prefilter, write lock, barrier' },
  { pattern: name('ledger'), instead: 'decisions, outcome' },
  { pattern: name('nap'), instead: 'delay' },
  { pattern: name('fate'), instead: 'outcome' },
  { pattern: /\bWalk[A-Z]?\w*|[a-z]Walk\b/g, instead: 'reader, pass' },
  { pattern: /\b(?:program|rule) images?\b|[a-z](?<!background)Images?\b/g, instead: 'program snapshot' },
  { pattern: /\b(?:regex|pattern|matching) kernels?\b|\bKernel|[a-z]Kernel/g, instead: 'NFA' },
  { pattern: /\bclean runs?\b|cleanRun/gi, instead: 'constant folding' },
  {
    // As a name, and in the plural. `place:` remains as a column of the database.
    pattern:
      /(?<=\b(?:const|let|readonly|async|type|get) |#|\b\w+\.)places?\b(?=[,:;()[\]}.?!]| [=}]|$)|(?<=[({] ?)places?\b(?=[,)}]|: [A-Z]| =)|[a-z]Places?(?![a-z])|\bplaces?[A-Z]\w*|\bplaces\b/g,
    instead: 'the thing: position, index, path, slot, location',
  },
  {
    pattern: /(?<=[a-z])Questions?(?![a-z])|\bQuestions?[A-Z]\w*|\bquestions?(?!Mark)[A-Z]\w*|#questions?\b/g,
    instead: 'Query, Request, Call',
  },
  { pattern: /\bthose (?:that|who|which)\b/gi, instead: 'the noun: the records that …' },
  {
    pattern: new RegExp(`(?:${start}|; )(?:that|those) of\\b`, 'gi'),
    instead: 'the noun: the records of …',
  },
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
