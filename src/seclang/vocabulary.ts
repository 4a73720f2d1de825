import { type NameTable, nameTable, same } from './name-table.ts'

/** Variables; true if `NAME:key` selects inside it. Source: ModSecurity reference manual, "Variables". */
export const variables: NameTable<boolean> = nameTable<boolean>({
  ...same(
    `ARGS ARGS_GET ARGS_GET_NAMES ARGS_NAMES ARGS_POST ARGS_POST_NAMES ENV FILES FILES_NAMES FILES_SIZES
     FILES_TMPNAMES FILES_TMP_CONTENT GEO GLOBAL IP MATCHED_VARS MATCHED_VARS_NAMES MULTIPART_FILENAME
     MULTIPART_NAME MULTIPART_PART_HEADERS PERF_RULES REQUEST_COOKIES REQUEST_COOKIES_NAMES REQUEST_HEADERS
     REQUEST_HEADERS_NAMES RESOURCE RESPONSE_HEADERS RESPONSE_HEADERS_NAMES RULE SESSION TX USER XML`,
    true,
  ),
  ...same(
    `ARGS_COMBINED_SIZE AUTH_TYPE DURATION FILES_COMBINED_SIZE FULL_REQUEST FULL_REQUEST_LENGTH HIGHEST_SEVERITY
     INBOUND_DATA_ERROR MATCHED_VAR MATCHED_VAR_NAME MODSEC_BUILD MSC_PCRE_ERROR MSC_PCRE_LIMITS_EXCEEDED
     MULTIPART_BOUNDARY_QUOTED MULTIPART_BOUNDARY_WHITESPACE MULTIPART_CRLF_LF_LINES MULTIPART_DATA_AFTER
     MULTIPART_DATA_BEFORE MULTIPART_FILE_LIMIT_EXCEEDED MULTIPART_HEADER_FOLDING
     MULTIPART_INVALID_HEADER_FOLDING MULTIPART_INVALID_PART MULTIPART_INVALID_QUOTING MULTIPART_LF_LINE
     MULTIPART_MISSING_SEMICOLON MULTIPART_STRICT_ERROR MULTIPART_UNMATCHED_BOUNDARY OUTBOUND_DATA_ERROR
     PATH_INFO PERF_ALL PERF_COMBINED PERF_GC PERF_LOGGING PERF_PHASE1 PERF_PHASE2 PERF_PHASE3 PERF_PHASE4
     PERF_PHASE5 PERF_SREAD PERF_SWRITE QUERY_STRING REMOTE_ADDR REMOTE_HOST REMOTE_PORT REMOTE_USER
     REQBODY_ERROR REQBODY_ERROR_MSG REQBODY_PROCESSOR REQBODY_PROCESSOR_ERROR REQBODY_PROCESSOR_ERROR_MSG
     REQUEST_BASENAME REQUEST_BODY REQUEST_BODY_LENGTH REQUEST_FILENAME REQUEST_LINE REQUEST_METHOD
     REQUEST_PROTOCOL REQUEST_URI REQUEST_URI_RAW RESPONSE_BODY RESPONSE_CONTENT_LENGTH RESPONSE_CONTENT_TYPE
     RESPONSE_PROTOCOL RESPONSE_STATUS SCRIPT_BASENAME SCRIPT_FILENAME SCRIPT_GID SCRIPT_GROUPNAME SCRIPT_MODE
     SCRIPT_UID SCRIPT_USERNAME SDBM_DELETE_ERROR SERVER_ADDR SERVER_NAME SERVER_PORT SESSIONID STATUS_LINE
     STREAM_INPUT_BODY STREAM_OUTPUT_BODY TIME TIME_DAY TIME_EPOCH TIME_HOUR TIME_MIN TIME_MON TIME_SEC
     TIME_WDAY TIME_YEAR UNIQUE_ID URLENCODED_ERROR USERAGENT_IP USERID WEBAPPID WEBSERVER_ERROR_LOG`,
    false,
  ),
})

/** Operators, without `@`. Source: ModSecurity reference manual, "Operators". */
export const operators: NameTable<true> = nameTable(
  same(
    `beginsWith contains containsWord detectSQLi detectXSS endsWith eq fuzzyHash ge geoLookup gsbLookup gt
     inspectFile ipMatch ipMatchFromFile le lt noMatch pm pmFromFile rbl rsub rx rxGlobal streq strmatch
     unconditionalMatch validateByteRange validateDTD validateHash validateSchema validateUrlEncoding
     validateUtf8Encoding verifyCC verifyCPF verifySSN verifySVNR within`,
    true,
  ),
  { ipMatchF: 'ipMatchFromFile', pmf: 'pmFromFile' },
)

/** Transformations, as `t:` names them. Source: ModSecurity reference manual, "Transformation functions". */
export const transformations: NameTable<true> = nameTable(
  same(
    `base64Decode base64DecodeExt base64Encode cmdLine compressWhitespace cssDecode escapeSeqDecode hexDecode
     hexEncode htmlEntityDecode jsDecode length lowercase md5 none normalizePath normalizePathWin parityEven7bit
     parityOdd7bit parityZero7bit phpArgsNames removeComments removeCommentsChar removeNulls removeWhitespace
     replaceComments replaceNulls sha1 sqlHexDecode trim trimLeft trimRight uppercase urlDecode urlDecodeUni
     urlEncode utf8toUnicode`,
    true,
  ),
  { normalisePath: 'normalizePath', normalisePathWin: 'normalizePathWin' },
)

/** Whether an action takes a value after its colon, and whether it decides about the request. */
export interface ActionShape {
  readonly value: 'none' | 'optional' | 'required'
  readonly disruptive?: true
}

/** Actions. Source: ModSecurity reference manual, "Actions". */
export const actions: NameTable<ActionShape> = nameTable<ActionShape>({
  ...same('auditlog capture chain log multiMatch noauditlog nolog', { value: 'none' }),
  ...same('block deny drop pass', { value: 'none', disruptive: true }),
  ...same('allow', { value: 'optional', disruptive: true }),
  ...same('proxy redirect', { value: 'required', disruptive: true }),
  ...same('sanitiseMatched sanitiseMatchedBytes', { value: 'optional' }),
  ...same(
    `accuracy append ctl deprecatevar exec expirevar id initcol logdata maturity msg pause phase prepend rev
     sanitiseArg sanitiseRequestHeader sanitiseResponseHeader setenv setrsc setsid setuid setvar severity skip
     skipAfter status t tag ver xmlns`,
    { value: 'required' },
  ),
})

/** Settings that `ctl:NAME=value` changes for one transaction. Source: ModSecurity reference manual, "ctl". */
export const controls: NameTable<true> = nameTable(
  same(
    `auditEngine auditLogParts debugLogLevel forceRequestBodyVariable hashEnforcement hashEngine
     parseXmlIntoArgs requestBodyAccess requestBodyLimit requestBodyProcessor responseBodyAccess responseBodyLimit
     ruleEngine ruleRemoveById ruleRemoveByMsg ruleRemoveByTag ruleRemoveTargetById ruleRemoveTargetByMsg
     ruleRemoveTargetByTag`,
    true,
  ),
)

/**
 * Severities, most severe first: the index of a name is its number. Source: ModSecurity reference manual, "severity".
 */
export const severities: NameTable<true> = nameTable(
  same('EMERGENCY ALERT CRITICAL ERROR WARNING NOTICE INFO DEBUG', true),
)

const onOff: NameTable<true> = nameTable(same('On Off', true))

/** Accepted values of a control with a fixed list of values. */
export const controlValues: Readonly<Record<string, NameTable<true>>> = {
  auditEngine: nameTable(same('On Off RelevantOnly', true)),
  forceRequestBodyVariable: onOff,
  requestBodyAccess: onOff,
  requestBodyProcessor: nameTable(same('URLENCODED MULTIPART XML JSON', true)),
  responseBodyAccess: onOff,
  ruleEngine: nameTable(same('On Off DetectionOnly', true)),
}
