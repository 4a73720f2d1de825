import { crsCommand } from './crs.ts'
import { explainCommand } from './explain.ts'
import { explainHelp } from './explain-help.ts'
import { helpText } from './help.ts'
import { keysCommand, keysHelp } from './keys.ts'
import { logsCommand } from './logs.ts'
import { logsHelp } from './logs-help.ts'
import { serveCommand } from './serve.ts'
import { tokensCommand } from './tokens.ts'
import { UsageError } from './usage.ts'
import { zonesCommand } from './zones.ts'

/** One command a name; each gets the words after its own. */
const commands: Readonly<Record<string, (words: readonly string[]) => Promise<void>>> = {
  serve: serveCommand,
  crs: crsCommand,
  zones: zonesCommand,
  tokens: tokensCommand,
  explain: explainCommand,
  keys: keysCommand,
  logs: logsCommand,
}

/** Of commands that have more to say than a line. */
const helps: Readonly<Record<string, string>> = {
  explain: explainHelp,
  keys: keysHelp,
  logs: logsHelp,
}

async function main(words: readonly string[]): Promise<void> {
  const [name, ...rest] = words
  if (
    name === undefined ||
    name === '--help' ||
    name === '-h' ||
    name === 'help' ||
    rest.includes('--help')
  ) {
    console.log(name !== undefined && Object.hasOwn(helps, name) ? helps[name] : helpText())
    return
  }
  const command = Object.hasOwn(commands, name) ? commands[name] : undefined
  if (command === undefined)
    throw new UsageError(
      `there is no command '${name}'; the commands are ${Object.keys(commands).join(', ')}`,
    )
  await command(rest)
}

try {
  await main(process.argv.slice(2))
} catch (error) {
  console.error(`sluice: ${error instanceof Error ? error.message : String(error)}`)
  if (error instanceof UsageError) console.error('Run `npx sluice --help` for how it is used.')
  process.exitCode = error instanceof UsageError ? 2 : 1
}
