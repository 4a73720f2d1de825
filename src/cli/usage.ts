import type { Settings } from '../model/settings/index.ts'
import { flagOf, formatProblem, readSettings, settingDeclarations } from '../model/settings/index.ts'

/** An error in the command line, described by the message. */
export class UsageError extends Error {
  override readonly name = 'UsageError'
  /** The command whose `--help` to recommend; undefined: the program's. */
  readonly command: string | undefined

  constructor(message: string, { command, ...options }: ErrorOptions & { readonly command?: string } = {}) {
    super(message, options)
    this.command = command
  }
}

export interface CommandLine {
  /** Words other than flags. */
  readonly words: readonly string[]
  /** Flags other than settings. */
  readonly flags: ReadonlyMap<string, string>
  readonly settings: Settings
}

const settingNames: ReadonlySet<string> = new Set(settingDeclarations.map(flagOf))

/**
 * Splits `--flag value` and `--flag=value` from the other words and reads the settings.
 * @param own the command's flags, without dashes
 * @param switches the command's flags without a value; the result has them in `flags`
 * @throws UsageError naming each wrong setting or flag
 */
export function parseCommandLine(
  words: readonly string[],
  own: readonly string[] = [],
  switches: readonly string[] = [],
): CommandLine {
  const plain: string[] = []
  const settingFlags = new Map<string, string>()
  const flags = new Map<string, string>()
  for (let index = 0; index < words.length; index++) {
    const word = words[index]!
    if (!word.startsWith('--')) {
      plain.push(word)
      continue
    }
    const equals = word.indexOf('=')
    const name = equals < 0 ? word.slice(2) : word.slice(2, equals)
    if (switches.includes(name)) {
      if (equals >= 0) throw new UsageError(`--${name} takes no value`)
      flags.set(name, '')
      continue
    }
    const value = equals < 0 ? words[++index] : word.slice(equals + 1)
    if (value === undefined && (own.includes(name) || settingNames.has(`--${name}`)))
      throw new UsageError(`--${name} needs a value`)
    if (own.includes(name)) flags.set(name, value!)
    else settingFlags.set(name, value ?? '')
  }
  const settings = readSettings(process.env, settingFlags)
  if (!settings.ok) throw new UsageError(settings.diagnostics.map(formatProblem).join('\n        '))
  return { words: plain, flags, settings: settings.value }
}
