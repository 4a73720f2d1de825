import { type NameTable, nameTable, same } from './name-table.ts'

/** Kinds of arguments of a directive. */
export interface DirectiveShape {
  readonly min: number
  readonly max: number
  /** How the last argument is read; as plain text if absent. */
  readonly last?: 'actions' | 'targets'
  /** The only texts that the argument may be. */
  readonly values?: NameTable<true>
}

const one: DirectiveShape = { min: 1, max: 1 }
const several: DirectiveShape = { min: 1, max: 1000 }
const switches = (...values: string[]): DirectiveShape => ({
  min: 1,
  max: 1,
  values: nameTable(same(values.join(' '), true)),
})
const onOff = switches('On', 'Off')

/** Directives in use by rule sets and their users. Source: ModSecurity reference manual, "Configuration Directives". */
export const directives: NameTable<DirectiveShape> = nameTable<DirectiveShape>({
  SecRule: { min: 2, max: 3 },
  SecAction: one,
  SecMarker: one,
  SecDefaultAction: { min: 1, max: 1, last: 'actions' },
  SecComponentSignature: one,
  SecCollectionTimeout: one,
  Include: one,
  IncludeOptional: one,

  SecRuleEngine: switches('On', 'Off', 'DetectionOnly'),
  SecRequestBodyAccess: onOff,
  SecRequestBodyLimit: one,
  SecRequestBodyNoFilesLimit: one,
  SecRequestBodyInMemoryLimit: one,
  SecRequestBodyLimitAction: switches('Reject', 'ProcessPartial'),
  SecRequestBodyJsonDepthLimit: one,
  SecArgumentsLimit: one,
  SecArgumentSeparator: one,
  SecCookieFormat: switches('0', '1'),
  SecResponseBodyAccess: onOff,
  SecResponseBodyMimeType: several,
  SecResponseBodyMimeTypesClear: { min: 0, max: 0 },
  SecResponseBodyLimit: one,
  SecResponseBodyLimitAction: switches('Reject', 'ProcessPartial'),
  SecUnicodeMapFile: { min: 1, max: 2 },
  SecXmlExternalEntity: onOff,

  SecRuleRemoveById: several,
  SecRuleRemoveByTag: several,
  SecRuleRemoveByMsg: several,
  SecRuleUpdateTargetById: { min: 2, max: 2, last: 'targets' },
  SecRuleUpdateTargetByTag: { min: 2, max: 2, last: 'targets' },
  SecRuleUpdateTargetByMsg: { min: 2, max: 2, last: 'targets' },
  SecRuleUpdateActionById: { min: 2, max: 2, last: 'actions' },

  SecAuditEngine: switches('On', 'Off', 'RelevantOnly'),
  SecUploadKeepFiles: switches('On', 'Off', 'RelevantOnly'),
  ...same(
    `SecAuditLog SecAuditLog2 SecAuditLogDirMode SecAuditLogFileMode SecAuditLogFormat SecAuditLogParts
     SecAuditLogPrefix SecAuditLogRelevantStatus SecAuditLogStorageDir SecAuditLogType
     SecDataDir SecDebugLog SecDebugLogLevel SecGeoLookupDb SecPcreMatchLimit SecPcreMatchLimitRecursion
     SecSensorId SecServerSignature SecStatusEngine SecTmpDir SecTmpSaveUploadedFiles
     SecUploadDir SecUploadFileLimit SecUploadFileMode SecWebAppId`,
    one,
  ),

  // Known names of unsupported directives, so that the diagnostic says "unsupported" and not "misspelt".
  ...same(
    `SecCacheTransformations SecChrootDir SecConnEngine SecConnReadStateLimit SecConnWriteStateLimit
     SecContentInjection SecCookieV0Separator SecDisableBackendCompression SecGsbLookupDb SecGuardianLog
     SecHashEngine SecHashKey SecHashMethodPm SecHashMethodRx SecHashParam SecHttpBlKey SecInterceptOnError
     SecParseXmlIntoArgs SecReadStateLimit SecRemoteRules SecRemoteRulesFailAction SecRequestEncoding
     SecRuleInheritance SecRulePerfTime SecRuleScript SecStreamInBodyInspection SecStreamOutBodyInspection
     SecUnicodeCodePage SecWriteStateLimit`,
    several,
  ),
})
