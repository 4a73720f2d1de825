import type { MultipartFlags } from '../bodies/index.ts'
import { EntryList, emptyCollection } from './collection.ts'
import {
  collection,
  flag,
  names,
  ofBody,
  single,
  type VariableDeclaration,
  type VariableTable,
} from './declare.ts'
import type { Entry } from './entry.ts'
import type { TransactionState } from './state.ts'

const none: readonly Entry[] = []

/** Arguments, and variables of the request body. In phase 1, the arguments of the query exist already. */
export const bodyVariables: VariableTable = {
  ARGS: collection('body', state => new EntryList(allArguments(state)), 'request-body'),
  ARGS_NAMES: names('body', allArguments, 'request-body'),
  ARGS_GET: collection('request', state => new EntryList(state.queryArguments)),
  ARGS_GET_NAMES: names('request', state => state.queryArguments),
  ARGS_POST: ofBody.collection(body => body.arguments),
  ARGS_POST_NAMES: ofBody.names(body => body.arguments),
  ARGS_COMBINED_SIZE: single('body', argumentBytes, 'request-body'),
  REQUEST_BODY: ofBody.single(body => body.text),
  REQUEST_BODY_LENGTH: ofBody.single(body => String(body.length)),
  INBOUND_DATA_ERROR: ofBody.flag(body => body.cut),

  REQBODY_PROCESSOR: single('always', state => state.processor),
  REQBODY_ERROR: flag('body', state => errorOf(state) !== undefined, 'request-body'),
  REQBODY_ERROR_MSG: single('body', state => errorOf(state) ?? '', 'request-body'),
  REQBODY_PROCESSOR_ERROR: ofBody.flag(body => body.error !== undefined),
  REQBODY_PROCESSOR_ERROR_MSG: ofBody.single(body => body.error ?? ''),

  FILES: files('fileNames'),
  FILES_NAMES: ofBody.names(body => body.multipart?.fileSizes ?? none),
  FILES_SIZES: files('fileSizes'),
  /** Uploads are never written to disk. */
  FILES_TMPNAMES: collection('request', () => emptyCollection),
  FILES_COMBINED_SIZE: ofBody.single(body => String(body.multipart?.fileBytes ?? 0)),
  MULTIPART_FILENAME: files('fileNames'),
  MULTIPART_NAME: ofBody.names(body => body.multipart?.fileSizes ?? none),
  MULTIPART_PART_HEADERS: files('partHeaders'),
  MULTIPART_STRICT_ERROR: ofBody.flag(body => body.multipart?.strictError === true),
  MULTIPART_UNMATCHED_BOUNDARY: ofBody.single(body => String(body.multipart?.unmatchedBoundary ?? 0)),
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
  'XML:/*': ofBody.single(body => body.xmlText),
  'XML://@*': { ...ofBody.collection(body => body.xmlAttributes), keyed: false },
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
  return ofBody.collection(body => body.multipart?.[of] ?? none)
}

function multipartFlag(of: keyof MultipartFlags): VariableDeclaration {
  return ofBody.flag(body => body.multipart?.flags[of] === true)
}
