import { crsCommand, crsHelp } from './commands/crs/crs.ts'
import { dbCommand, dbHelp } from './commands/db.ts'
import { explainCommand } from './commands/explain/explain.ts'
import { explainHelp } from './commands/explain/help.ts'
import { keysCommand, keysHelp } from './commands/keys.ts'
import { logsHelp } from './commands/logs/help.ts'
import { logsCommand } from './commands/logs/logs.ts'
import { serveCommand } from './commands/serve.ts'
import { tokensCommand, tokensHelp } from './commands/tokens.ts'
import { zonesCommand, zonesHelp } from './commands/zones.ts'
import { helpText, serveHelp } from './help.ts'
import { UsageError } from './usage.ts'
import { versionText } from './version.ts'

interface Command {
  /** @param words after the command's own name */
  readonly run: (words: readonly string[]) => Promise<void>
  readonly help: () => string
}

const commands: Readonly<Record<string, Command>> = {
  serve: { run: serveCommand, help: serveHelp },
  crs: { run: crsCommand, help: () => crsHelp },
  zones: { run: zonesCommand, help: () => zonesHelp },
  tokens: { run: tokensCommand, help: () => tokensHelp },
  explain: { run: explainCommand, help: () => explainHelp },
  keys: { run: keysCommand, help: () => keysHelp },
  logs: { run: logsCommand, help: () => logsHelp },
  db: { run: dbCommand, help: () => dbHelp },
}

const isHelp = (word: string): boolean => word === '--help' || word === '-h'

async function main(words: readonly string[]): Promise<void> {
  const [first, ...rest] = words
  if (first === '--version' || first === '-v' || first === '-V' || first === 'version') {
    console.log(versionText())
    return
  }
  const name = first === 'help' ? rest[0] : first
  if (name === undefined || isHelp(name)) {
    console.log(helpText())
    return
  }
  const command = Object.hasOwn(commands, name) ? commands[name] : undefined
  if (command === undefined)
    throw new UsageError(
      `there is no command '${name}'; the commands are ${Object.keys(commands).join(', ')}`,
    )
  if (first === 'help' || rest.some(isHelp)) console.log(command.help())
  else await command.run(rest)
}

try {
  await main(process.argv.slice(2))
} catch (error) {
  console.error(`sluice: ${error instanceof Error ? error.message : String(error)}`)
  if (error instanceof UsageError) {
    const words = error.command === undefined ? '' : `${error.command} `
    console.error(`Run \`npx sluice ${words}--help\` for how it is used.`)
  }
  process.exitCode = error instanceof UsageError ? 2 : 1
}
