import type { MultipartFlags } from '../bodies/index.ts'
import { EntryList, emptyCollection } from './collection.ts'
import { collection, flag, names, single, type VariableDeclaration, type VariableTable } from './declare.ts'
import type { Entry } from './entry.ts'
import type { TransactionState } from './state.ts'

const none: readonly Entry[] = []

/** Arguments, and variables of the request body. In phase 1, the arguments of the query exist already. */
export const bodyVariables: VariableTable = {
  ARGS: collection('body', state => new EntryList(allArguments(state)), 'request-body'),
  ARGS_NAMES: names('body', allArguments, 'request-body'),
  ARGS_GET: collection('request', state => new EntryList(state.queryArguments)),
  ARGS_GET_NAMES: names('request', state => state.queryArguments),
  ARGS_POST: collection('body', state => new EntryList(state.body.arguments), 'request-body'),
  ARGS_POST_NAMES: names('body', state => state.body.arguments, 'request-body'),
  ARGS_COMBINED_SIZE: single('body', argumentBytes, 'request-body'),
  REQUEST_BODY: single('body', state => state.body.text, 'request-body'),
  REQUEST_BODY_LENGTH: single('body', state => String(state.body.length), 'request-body'),
  INBOUND_DATA_ERROR: flag('body', state => state.body.cut, 'request-body'),

  REQBODY_PROCESSOR: single('always', state => state.processor),
  REQBODY_ERROR: flag('body', state => errorOf(state) !== undefined, 'request-body'),
  REQBODY_ERROR_MSG: single('body', state => errorOf(state) ?? '', 'request-body'),
  REQBODY_PROCESSOR_ERROR: flag('body', state => state.body.error !== undefined, 'request-body'),
  REQBODY_PROCESSOR_ERROR_MSG: single('body', state => state.body.error ?? '', 'request-body'),

  FILES: files('fileNames'),
  FILES_NAMES: names('body', state => state.body.multipart?.fileSizes ?? none, 'request-body'),
  FILES_SIZES: files('fileSizes'),
  /** Uploads are never written to disk. */
  FILES_TMPNAMES: collection('request', () => emptyCollection),
  FILES_COMBINED_SIZE: single('body', state => String(state.body.multipart?.fileBytes ?? 0), 'request-body'),
  MULTIPART_FILENAME: files('fileNames'),
  MULTIPART_NAME: names('body', state => state.body.multipart?.fileSizes ?? none, 'request-body'),
  MULTIPART_PART_HEADERS: files('partHeaders'),
  MULTIPART_STRICT_ERROR: flag('body', state => state.body.multipart?.strictError === true, 'request-body'),
  MULTIPART_UNMATCHED_BOUNDARY: single(
    'body',
    state => String(state.body.multipart?.unmatchedBoundary ?? 0),
    'request-body',
  ),
  MULTIPART_BOUNDARY_QUOTED: multipartFlag('boundaryQuoted'),
  MULTIPART_BOUNDARY_WHITESPACE: multipartFlag('boundaryWhitespace'),
  MULTIPART_DATA_BEFORE: multipartFlag('dataBefore'),
  MULTIPART_DATA_AFTER: multipartFlag('dataAfter'),
  MULTIPART_HEADER_FOLDING: multipartFlag('headerFolding'),
  MULTIPART_LF_LINE: multipartFlag('lfLine'),
  MULTIPART_MISSING_SEMICOLON: multipartFlag('missingSemicolon'),
  MULTIPART_INVALID_QUOTING: multipartFlag('invalidQuoting'),
  MULTIPART_INVALID_PART: multipartFlag('invalidPart'),
  MULTIPART_INVALID_HEADER_FOLDING: multipartFlag('invalidHeaderFolding'),
  MULTIPART_FILE_LIMIT_EXCEEDED: multipartFlag('fileLimitExceeded'),
}

/** `XML:` has no values by key: each XPath that the engine knows is a separate variable with the name `XML`. */
export const xmlVariables: VariableTable = {
  'XML:/*': single('body', state => state.body.xmlText, 'request-body'),
  'XML://@*': {
    ...collection('body', state => new EntryList(state.body.xmlAttributes), 'request-body'),
    keyed: false,
  },
}

function allArguments(state: TransactionState): readonly Entry[] {
  const { arguments: form, jsonArguments: json } = state.body
  if (form.length === 0 && json.length === 0) return state.queryArguments
  return [...state.queryArguments, ...form, ...json]
}

function argumentBytes(state: TransactionState): string {
  let bytes = 0
  for (const entry of allArguments(state)) bytes += entry.key.length + entry.value.length
  return String(bytes)
}

/** Too many arguments in the query count as an error of the body, as in ModSecurity 2. */
function errorOf(state: TransactionState): string | undefined {
  return state.body.error ?? state.queryError
}

function files(of: 'fileNames' | 'fileSizes' | 'partHeaders'): VariableDeclaration {
  return collection('body', state => new EntryList(state.body.multipart?.[of] ?? none), 'request-body')
}

function multipartFlag(of: keyof MultipartFlags): VariableDeclaration {
  return flag('body', state => state.body.multipart?.flags[of] === true, 'request-body')
}
