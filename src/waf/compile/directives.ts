import type { DirectiveStatement } from '../../seclang/ast.ts'
import { phaseNumber } from '../../seclang/index.ts'
import { actionValue } from '../program/draft.ts'
import type { EngineMode, EngineSettings, LimitAction } from '../program/settings.ts'
import type { LoadState } from './load-state.ts'
import * as updates from './rule-updates.ts'

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
 * Directives about audit and debug logs, folders, upload files, and limits that a linear-time engine does not need.
 * The unicode map is one of them: code page 20127 is built in. They are accepted, because every ModSecurity
 * configuration has them.
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
    return
  }
  for (const { name, value, span: at } of actions) {
    const isTransformation = name === 't' && value?.toLowerCase() !== 'none'
    if (!isTransformation && !ofRulesAlone.has(name)) continue
    const written = value === undefined ? name : `${name}:${value}`
    load.problems.add(
      'unsupported-value',
      at,
      `SecDefaultAction must not have ${written}: rules say that themselves`,
    )
  }
  // In defaults `block` has no meaning: they define its meaning in rules.
  const meant = actions.filter(({ name }) => name !== 'block')
  if (!meant.some(({ name }) => disruptive.has(name)))
    load.problems.add(
      'missing-value',
      span,
      'SecDefaultAction must have a disruptive action such as pass or deny',
    )
  load.defaults.set(phase, meant)
}

const disruptive: ReadonlySet<string> = new Set(['pass', 'deny', 'drop', 'redirect', 'allow', 'proxy'])
/** Source: ModSecurity 2, `cmd_default_action`. */
const ofRulesAlone: ReadonlySet<string> = new Set([
  'id',
  'rev',
  'msg',
  'logdata',
  'chain',
  'skip',
  'skipAfter',
])

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

/** A directive whose only accepted value is the fixed behaviour of this engine. */
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
