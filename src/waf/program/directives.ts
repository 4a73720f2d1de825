import type { Action, DirectiveStatement } from '../../seclang/ast.ts'
import { phaseNumber } from '../../seclang/index.ts'
import { actionValue, type Draft, type Phase } from './draft.ts'
import { Patterns } from './patterns.ts'
import type { Problems } from './problems.ts'
import * as updates from './rule-updates.ts'
import { defaultSettings, type EngineMode, type EngineSettings, type LimitAction } from './settings.ts'

/** What directives change while the sources are read from top to bottom. */
export class LoadState {
  readonly problems: Problems
  readonly patterns: Patterns
  readonly defaults = new Map<Phase, readonly Action[]>()
  settings: EngineSettings = defaultSettings
  drafts: Draft[] = []

  constructor(problems: Problems) {
    this.problems = problems
    this.patterns = new Patterns(problems)
  }
}

/** Applies one directive. The parser has checked its name and the number of its arguments. */
export function applyDirective(directive: DirectiveStatement, load: LoadState): void {
  const apply = directives.get(directive.name)
  if (apply !== undefined) apply(directive, load)
  else if (!withoutEffect.has(directive.name)) {
    load.problems.add('unsupported-directive', directive.span, `${directive.name} is not supported here`)
  }
}

type Apply = (directive: DirectiveStatement, load: LoadState) => void

/** Source: ModSecurity reference manual, "Configuration Directives". */
const directives: ReadonlyMap<string, Apply> = new Map(
  Object.entries({
    SecDefaultAction: setDefaults,
    SecRuleEngine: setting(text => ({ engine: text as EngineMode })),
    SecRequestBodyAccess: setting(text => ({ requestBodyAccess: text === 'On' })),
    SecRequestBodyLimit: number(requestBodyLimit => ({ requestBodyLimit })),
    SecRequestBodyNoFilesLimit: number(requestBodyNoFilesLimit => ({ requestBodyNoFilesLimit })),
    SecRequestBodyLimitAction: setting(text => ({ requestBodyLimitAction: text as LimitAction })),
    SecRequestBodyJsonDepthLimit: number(jsonDepthLimit => ({ jsonDepthLimit })),
    SecArgumentsLimit: number(argumentsLimit => ({ argumentsLimit })),
    SecArgumentSeparator: only('&', 'arguments are always separated by &'),
    SecCookieFormat: only('0', 'cookies are always read in format 0'),
    SecResponseBodyAccess: setting(text => ({ responseBodyAccess: text === 'On' })),
    SecResponseBodyMimeType: addMimeTypes,
    SecResponseBodyMimeTypesClear: setting(() => ({ responseBodyMimeTypes: new Set() })),
    SecResponseBodyLimit: number(responseBodyLimit => ({ responseBodyLimit })),
    SecResponseBodyLimitAction: setting(text => ({ responseBodyLimitAction: text as LimitAction })),
    SecCollectionTimeout: number(collectionTimeoutSec => ({ collectionTimeoutSec })),
    SecXmlExternalEntity: only('Off', 'external entities are never loaded'),
    SecRuleRemoveById: updates.removeById,
    SecRuleRemoveByTag: updates.removeByTag,
    SecRuleRemoveByMsg: updates.removeByMessage,
    SecRuleUpdateTargetById: updates.updateTargetById,
    SecRuleUpdateTargetByTag: updates.updateTargetByTag,
    SecRuleUpdateTargetByMsg: updates.updateTargetByMessage,
    SecRuleUpdateActionById: updates.updateActionById,
  }),
)

/**
 * Directives about audit and debug logs, folders, upload files, limits that a linear-time engine does not need, and the
 * unicode map (code page 20127 is built in): accepted, since every ModSecurity configuration has them.
 */
const withoutEffect: ReadonlySet<string> = new Set([
  'SecAuditEngine',
  'SecAuditLog',
  'SecAuditLog2',
  'SecAuditLogDirMode',
  'SecAuditLogFileMode',
  'SecAuditLogFormat',
  'SecAuditLogParts',
  'SecAuditLogPrefix',
  'SecAuditLogRelevantStatus',
  'SecAuditLogStorageDir',
  'SecAuditLogType',
  'SecComponentSignature',
  'SecDataDir',
  'SecDebugLog',
  'SecDebugLogLevel',
  'SecGeoLookupDb',
  'SecPcreMatchLimit',
  'SecPcreMatchLimitRecursion',
  'SecRequestBodyInMemoryLimit',
  'SecSensorId',
  'SecServerSignature',
  'SecStatusEngine',
  'SecTmpDir',
  'SecTmpSaveUploadedFiles',
  'SecUnicodeMapFile',
  'SecUploadDir',
  'SecUploadFileLimit',
  'SecUploadFileMode',
  'SecUploadKeepFiles',
  'SecWebAppId',
])

function setDefaults({ actions = [], span }: DirectiveStatement, load: LoadState): void {
  const phase = phaseNumber(actionValue(actions, 'phase') ?? '')
  if (phase === undefined) {
    load.problems.add('missing-phase', span, 'SecDefaultAction must say for which phase it is')
  } else load.defaults.set(phase, actions)
}

function setting(read: (argument: string) => Partial<EngineSettings>): Apply {
  return ({ arguments: [argument = ''] }, load) => {
    load.settings = { ...load.settings, ...read(argument) }
  }
}

function number(read: (value: number) => Partial<EngineSettings>): Apply {
  return ({ name, arguments: [argument = ''], span }, load) => {
    if (!/^[0-9]{1,15}$/.test(argument)) {
      load.problems.add('invalid-number', span, `${name} needs a whole number, not ${argument}`)
    } else load.settings = { ...load.settings, ...read(Number(argument)) }
  }
}

/** A directive whose one value is how this engine always works. */
function only(value: string, message: string): Apply {
  return ({ name, arguments: [argument = ''], span }, load) => {
    if (argument.toLowerCase() === value.toLowerCase()) return
    load.problems.add('unsupported-value', span, `${name} ${argument} is not supported: ${message}`)
  }
}

function addMimeTypes({ arguments: types }: DirectiveStatement, load: LoadState): void {
  const all = new Set(load.settings.responseBodyMimeTypes)
  for (const type of types.join(' ').split(/\s+/)) if (type !== '') all.add(type.toLowerCase())
  load.settings = { ...load.settings, responseBodyMimeTypes: all }
}
