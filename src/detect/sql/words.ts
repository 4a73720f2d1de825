import { WordTable } from '../word-table.ts'
import { Kind, Rank } from './kinds.ts'

/**
 * Meanings of words in the grammar, from the reference manuals of MySQL, PostgreSQL, SQL Server, Oracle and SQLite. A
 * word is listed if it shapes a statement or classifies a call. Every other word is a name.
 */
export interface Word {
  /** Lower case. */
  readonly text: string
  readonly kind: Kind
  /** Meaning as the name of a call. */
  readonly rank: Rank
  /** A server value without parentheses: CURRENT_USER, LOCALTIME. */
  readonly isNiladic: boolean
  /** May precede an operand: `-`, `+`, `~`, `!`. */
  readonly isUnary: boolean
  /** May begin a statement after `;`. */
  readonly isCommand: boolean
  /** How a statement that begins with the word continues; null if none does. */
  readonly statement: Statement | null
}

/** The words that must follow before a statement is one: "drop" is English, "drop table x" is not. */
export interface Statement {
  /** One of these words follows; empty if the operand follows at once. */
  readonly objects: ReadonlySet<string>
  /**
   * The part that completes it: a name, a variable or a string after the words; a name and VALUES without the words; a
   * name and SET; a condition; nothing.
   */
  readonly needs:
    | 'name'
    | 'rows'
    | 'variable'
    | 'string'
    | 'set'
    | 'procedure'
    | 'call'
    | 'block'
    | 'label'
    | 'end'
}

const rows = (text: string): string[] => text.trim().split(/\s+/)

const kinds: readonly (readonly [Kind, string])[] = [
  [Kind.constant, 'null true false unknown'],
  [Kind.logic, 'and or xor eqv imp'],
  [Kind.not, 'not prior'],
  [Kind.operator, 'div mod'],
  [
    Kind.comparison,
    'like rlike regexp glob ilike between in is similar sounds match against overlaps contains isdistinct',
  ],
  [
    Kind.type,
    `binary varbinary int integer bigint smallint char nchar varchar nvarchar date time timestamp interval real float
     numeric decimal boolean natural language any some signed unsigned text number bytea raw`,
  ],
  [Kind.select, 'select'],
  [Kind.union, 'union except intersect minus'],
  [
    Kind.quantifier,
    'all distinct distinctrow top straight_join sql_no_cache sql_calc_found_rows high_priority',
  ],
  [Kind.from, 'from'],
  [Kind.where, 'where'],
  [Kind.on, 'on'],
  [Kind.group, 'group order partition'],
  [Kind.by, 'by'],
  [Kind.having, 'having'],
  [Kind.limit, 'limit offset'],
  [Kind.into, 'into'],
  [Kind.file, 'outfile dumpfile'],
  [Kind.procedure, 'procedure'],
  [Kind.join, 'join'],
  [Kind.as, 'as'],
  [Kind.postfix, 'collate escape separator using to'],
  [Kind.suffix, 'isnull notnull asc desc'],
  [Kind.case, 'case'],
  [Kind.when, 'when'],
  [Kind.caseThen, 'then'],
  [Kind.else, 'else'],
  [Kind.caseEnd, 'end'],
  [Kind.exists, 'exists'],
  [Kind.values, 'values'],
  [Kind.modifier, 'with for'],
  [Kind.if, 'if while'],
]

const objects = new Set(
  rows(`table tables database databases schema view user column index function procedure trigger login role sequence
    system session server extension temporary temp unique or replace alias type domain tablespace synonym materialized`),
)
const none: ReadonlySet<string> = new Set()

const statements: readonly (readonly [string, Statement])[] = [
  ...rows('drop create alter rename truncate').map((word): [string, Statement] => [
    word,
    { objects, needs: 'name' },
  ]),
  ['delete', { objects: new Set(['from']), needs: 'name' }],
  ['insert', { objects: new Set(['into', 'ignore', 'overwrite']), needs: 'rows' }],
  ['replace', { objects: new Set(['into']), needs: 'rows' }],
  ['merge', { objects: new Set(['into']), needs: 'name' }],
  ['load', { objects: new Set(['data', 'xml']), needs: 'name' }],
  ['attach', { objects: new Set(['database']), needs: 'string' }],
  ['backup', { objects: new Set(['database', 'log']), needs: 'name' }],
  ['bulk', { objects: new Set(['insert']), needs: 'name' }],
  ['grant', { objects: new Set(rows('all select insert update delete dba execute connect')), needs: 'name' }],
  ['waitfor', { objects: new Set(['delay', 'time']), needs: 'string' }],
  ['update', { objects: none, needs: 'set' }],
  ['declare', { objects: none, needs: 'variable' }],
  ['set', { objects: none, needs: 'variable' }],
  ['call', { objects: none, needs: 'call' }],
  ['raiserror', { objects: none, needs: 'call' }],
  ['revoke', { objects: new Set(rows('all select insert update delete')), needs: 'name' }],
  ['flush', { objects: new Set(rows('tables privileges logs hosts')), needs: 'end' }],
  ['deallocate', { objects: new Set(['prepare']), needs: 'name' }],
  ['exec', { objects: none, needs: 'procedure' }],
  ['execute', { objects: none, needs: 'procedure' }],
  ['begin', { objects: none, needs: 'block' }],
  ['goto', { objects: none, needs: 'label' }],
  ['shutdown', { objects: none, needs: 'end' }],
]

/** First words of other statements. They count only after `;`, if a comment hides the rest of the surrounding one. */
const commands = new Set(
  rows(`use do show desc describe explain prepare handler lock unlock reset install uninstall restore dbcc reconfigure
    print throw detach pragma vacuum reindex optimize analyze repair check notify listen comment discard open fetch
    close copy commit rollback savepoint kill return perform help purge change start stop import export refresh cluster
    reassign audit noaudit`),
)

const ranked: readonly (readonly [Rank, string])[] = [
  [
    Rank.hot,
    `sleep benchmark get_lock pg_sleep pg_sleep_for pg_sleep_until load_file extractvalue updatexml xmltype name_const
     load_extension randomblob lo_import lo_export lo_get pg_read_file pg_read_binary_file pg_ls_dir pg_stat_file dblink
     dblink_connect query_to_xml database_to_xml xp_cmdshell xp_dirtree xp_fileexist xp_regread openrowset
     opendatasource openquery fn_xe_file_target_read_file fn_get_audit_file httpuritype sys_eval sys_exec
     gtid_subset gtid_subtract sqlite_compileoption_get sqlite_compileoption_used utl_http.request
     utl_inaddr.get_host_address utl_inaddr.get_host_name dbms_pipe.receive_message dbms_lock.sleep
     dbms_session.sleep dbms_ldap.init dbms_xmlgen.getxml dbms_utility.sqlid_to_sqlhash ctxsys.drithsx.sn
     filetoclob`,
  ],
  [
    Rank.server,
    `version user current_user session_user system_user suser_name suser_sname user_name database schema
     current_database current_schema db_name db_id host_name object_id object_name col_name connection_id
     sqlite_version total_changes last_insert_rowid last_insert_id row_count found_rows pg_client_encoding
     has_table_privilege serverproperty is_srvrolemember fulltextcatalogproperty sys_context inet_server_addr
     inet_server_port getdate sysdate uuid_short db_version`,
  ],
  [
    Rank.cut,
    `ascii ord unicode chr substr substring substrb mid group_concat string_agg concat concat_ws hex unhex
     to_hex bin make_set elt find_in_set ifnull nullif isnull coalesce cast convert load_xml xmlelement xmlagg listagg
     wm_concat json_extract json_search json_valid json_array json_keys jsonb_pretty json_build_object starts_with
     unistr quote_literal char_length character_length bit_length octet_length md5 sha1 sha2 array_agg
     array_to_string to_char to_number strcmp locate instr charindex patindex regexp_replace rpad lpad
     likely unlikely glob typeof zeroblob generate_series overlay nvl nvl2 compress uncompress floor rand
     aes_encrypt aes_decrypt char strcomp`,
  ],
  [Rank.choice, 'if iif'],
  [
    Rank.plain,
    `count length abs acos asin atan atan2 atn2 avg bool ceil ceiling cos cot date day decode degrees encode exp format greatest
     insert interval least left len ln log log10 log2 lcase lower ltrim max min mod month now password pi position pow
     power radians random repeat replace reverse right round row rtrim sign sin space sqrt stddev stuff sum tan
     timestamp translate trim trunc truncate ucase upper variance year
     adddate addtime bit_and bit_or bit_xor bit_count convert_tz crc32 curdate curtime date_add date_sub date_format
     datediff dayname dayofmonth dayofweek dayofyear des_decrypt des_encrypt encrypt export_set extract field
     from_base64 from_days from_unixtime hour inet_aton inet_ntoa inet6_aton inet6_ntoa json_array_length json_type
     last_day makedate maketime microsecond minute monthname oct old_password period_add period_diff quarter quote
     release_lock sec_to_time second sha soundex str_to_date subdate substring_index subtime time_format time_to_sec
     timediff timestampadd timestampdiff to_base64 to_days to_seconds unix_timestamp uuid week weekday weekofyear
     weight_string yearweek conv random_bytes
     array_length array_to_json btrim clock_timestamp date_part date_trunc initcap make_date quote_ident quote_nullable
     regexp_matches regexp_split_to_table split_part string_to_array strpos to_ascii to_date to_timestamp unnest
     width_bucket row_to_json sha256 sha512 setseed
     binary_checksum checksum datalength dateadd datefromparts datename datepart difference eomonth getutcdate hashbytes
     isdate isjson isnumeric newid parsename quotename replicate square str string_split sysdatetime try_cast
     try_convert try_parse
     add_months chartorowid dump existsnode lengthb months_between next_day rawtohex to_clob to_lob vsize
     datetime julianday printf strftime unixepoch`,
  ],
]

/** Server values that need no parentheses. */
const niladic = new Set(
  rows(`current_user session_user system_user current_database current_schema current_catalog current_role current_date
    current_time current_timestamp localtime localtimestamp utc_date utc_time utc_timestamp sysdate systimestamp
    rownum`),
)

const kindOf = new Map(
  kinds.flatMap(([kind, text]) => rows(text).map((word): [string, Kind] => [word, kind])),
)
const rankOf = new Map(
  ranked.flatMap(([rank, text]) => rows(text).map((word): [string, Rank] => [word, rank])),
)
const statementOf = new Map(statements)

function makeWord(text: string): Word {
  const statement = statementOf.get(text) ?? null
  const fallback = statement === null ? Kind.name : Kind.statement
  return {
    text,
    kind: kindOf.get(text) ?? fallback,
    rank: rankOf.get(text) ?? Rank.none,
    isNiladic: niladic.has(text),
    isUnary: false,
    isCommand: statement !== null || commands.has(text),
    statement,
  }
}

/** Words between the first word of a statement and its object. */
export const statementFillers: ReadonlySet<string> = new Set(
  rows('low_priority high_priority delayed quick ignore concurrent local temporary temp unique or replace'),
)
const statementObjects = statements.flatMap(([, { objects }]) => [...objects])

const allWords: readonly Word[] = [
  ...new Set([
    ...kindOf.keys(),
    ...rankOf.keys(),
    ...statementOf.keys(),
    ...niladic,
    ...commands,
    ...statementObjects,
    ...statementFillers,
    'immediate',
  ]),
].map(makeWord)

/** The meaning of unlisted words. */
export const unknownWord: Word = makeWord('')

const table = new WordTable<Word>(
  allWords.map((word): [string, Word] => [word.text, word]),
  unknownWord,
)

/** The word from `start` to `end`, in any case. */
export function findWord(value: string, start: number, end: number): Word {
  return table.find(value, start, end)
}

const unarySigns = new Set(['+', '-', '~', '!', '@', '~~'])

/** A token that is no name, for signs. */
export function signWord(text: string, kind: Kind): Word {
  return {
    text,
    kind,
    rank: Rank.none,
    isNiladic: false,
    isUnary: unarySigns.has(text),
    isCommand: false,
    statement: null,
  }
}

/** The texts of all words of some kinds. */
export function wordsOf(...wanted: readonly Kind[]): string[] {
  return allWords.filter(({ kind }) => wanted.includes(kind)).map(({ text }) => text)
}

/** Names of calls with a rank. */
export function callsOf(...wanted: readonly Rank[]): string[] {
  return allWords.filter(({ rank }) => wanted.includes(rank)).map(({ text }) => text)
}

const catalogues = new WordTable<boolean>(
  rows(`information_schema pg_catalog pg_user pg_shadow pg_tables pg_database pg_class sqlite_master sqlite_schema
    sysobjects syscolumns sysusers sys sysibm all_tables all_tab_columns user_tables user_tab_columns all_users
    dba_users v$version msysaccessobjects msysobjects mysql master rdb$database rdb$fields dual`).map(
    (name): [string, boolean] => [name, true],
  ),
  false,
)

/** Whether a table's name, perhaps dotted, belongs to a database's catalogue. */
export function isCatalogue(value: string, start: number, end: number): boolean {
  if (catalogues.find(value, start, end)) return true
  let dot = start
  while (dot < end && value.charCodeAt(dot) !== 0x2e) dot++
  return dot < end && catalogues.find(value, start, dot)
}
