/**
 * What words mean to the judge. The lists are drawn from the reference manuals of MySQL, PostgreSQL, SQL Server,
 * Oracle and SQLite: only words that matter for the shape of an injected statement are here, everything else is a
 * bare word. A word costs a false alarm wherever people use it in prose, so common English words are left out
 * unless a shape around them (see judge.ts) makes them SQL.
 */

/** Type of a token; also its letter in a fingerprint. */
export type TokenType =
  | 's' // string
  | '1' // number or literal constant
  | 'n' // bare word
  | 'v' // variable
  | 'f' // known function, followed by an opening parenthesis
  | '&' // logic operator
  | 'o' // other operator
  | 'U' // set operator: UNION, EXCEPT, INTERSECT, MINUS
  | 'E' // SELECT, CASE, EXISTS: begins something that yields values
  | 'T' // statement that changes or runs something
  | 'B' // GROUP BY, ORDER BY
  | 'k' // other keyword
  | 'c' // comment that ends the text
  | 'X' // never innocent
  | '('
  | ')'
  | ','
  | ';'
  | '?' // anything SQL has no use for here

/**
 * What a call of a function says by itself:
 * - 3: sleeps, reads files, reaches out or raises errors that carry data: nobody sends it to a form;
 * - 2: tells about the server or takes texts apart: an attack when it is placed as an operand;
 * - 1: everyday function: an attack only where a text was left and SQL continues.
 */
export type FunctionRank = 1 | 2 | 3

const rows = (text: string): string[] => text.trim().split(/\s+/)

const ranked: readonly (readonly [FunctionRank, string])[] = [
  [
    3,
    `sleep benchmark pg_sleep pg_sleep_for pg_sleep_until load_file extractvalue updatexml xmltype name_const
     load_extension randomblob lo_import lo_export lo_get pg_read_file pg_read_binary_file pg_ls_dir
     pg_stat_file dblink dblink_connect query_to_xml database_to_xml xp_cmdshell xp_dirtree xp_fileexist
     xp_regread openrowset opendatasource openquery fn_xe_file_target_read_file fn_get_audit_file
     utl_http.request utl_inaddr.get_host_address utl_inaddr.get_host_name dbms_pipe.receive_message
     dbms_lock.sleep dbms_session.sleep dbms_ldap.init dbms_xmlgen.getxml dbms_utility.sqlid_to_sqlhash
     ctxsys.drithsx.sn httpuritype sys_eval sys_exec gtid_subset gtid_subtract sqlite_compileoption_get
     sqlite_compileoption_used master..xp_cmdshell`,
  ],
  [
    2,
    `ascii ord unicode char chr nchar substr substring substrb mid version user current_user session_user
     system_user suser_name suser_sname user_name database schema current_database current_schema db_name
     db_id host_name object_id object_name col_name connection_id group_concat string_agg concat concat_ws
     hex unhex to_hex bin make_set elt find_in_set ifnull nullif isnull coalesce cast convert
     load_xml xmlelement xmlagg listagg wm_concat json_extract json_search json_valid json_array json_keys
     jsonb_pretty json_build_object starts_with unistr quote_literal inet_ntoa inet_aton char_length
     character_length bit_length octet_length sys_context sysdate getdate sqlite_version total_changes
     last_insert_rowid row_count found_rows md5 sha1 sha2 pg_client_encoding has_table_privilege array_agg
     array_to_string to_char to_number strcmp locate instr charindex patindex regexp_replace rpad lpad
     likely unlikely glob typeof zeroblob fulltextcatalogproperty serverproperty is_srvrolemember
     generate_series overlay uuid_short geometrycollection polygon multipoint multilinestring linestring
     nvl nvl2`,
  ],
  [
    1,
    `abs acos asin atan avg bool ceil ceiling cos count date day decode default degrees div encode exp floor
     format greatest if iif insert lcase least left len length ln log lower ltrim max min mod month now
     password position pow power radians rand random rank replace repeat reverse right round row rtrim sign
     sin space sqrt stuff sum tan time timestamp translate trim truncate ucase upper value values year
     compress uncompress any all some json analyse`,
  ],
]

const functions: ReadonlyMap<string, FunctionRank> = new Map(
  ranked.flatMap(([rank, names]) => rows(names).map((name): [string, FunctionRank] => [name, rank])),
)

const words: ReadonlyMap<string, TokenType> = new Map(
  (
    [
      ['&', 'and or xor'],
      ['o', 'like rlike regexp glob ilike between in is div mod sounds similar collate not isnull notnull'],
      ['U', 'union except intersect minus'],
      ['E', 'select case exists'],
      [
        'k',
        `from where having limit offset when then else end values into set as all distinct top join procedure
         using escape`,
      ],
      [
        'T',
        'drop delete insert update alter create truncate replace merge grant shutdown waitfor declare exec execute',
      ],
      ['B', 'group order partition'],
      ['1', 'null true false unknown'],
    ] as const
  ).flatMap(([type, names]) => rows(names).map((name): [string, TokenType] => [name, type])),
)

/** Catalogues of databases: naming one is reconnaissance. The name itself or what precedes its first dot. */
const catalogues: ReadonlySet<string> = new Set(
  rows(`information_schema pg_catalog pg_user pg_shadow pg_tables pg_database sqlite_master sqlite_schema sysobjects
    syscolumns sysusers sys.objects sys.tables sys.databases all_tables all_tab_columns user_tables
    user_tab_columns all_users dba_users v$version msysaccessobjects mysql.user mysql.db master..sysdatabases
    sysibm.sysdummy1 rdb$database dual`),
)

/** Second words that turn a statement word into the beginning of a real statement. */
const statementTails: ReadonlyMap<string, ReadonlySet<string>> = new Map([
  ['drop', new Set(rows('table database schema view user column index function procedure trigger login'))],
  ['truncate', new Set(['table'])],
  ['delete', new Set(['from'])],
  ['insert', new Set(['into', 'ignore'])],
  ['replace', new Set(['into'])],
  ['merge', new Set(['into'])],
  ['alter', new Set(rows('table database user role system session login'))],
  [
    'create',
    new Set(rows('table database user role function procedure trigger view or alias login extension')),
  ],
  ['grant', new Set(rows('all select insert dba execute connect'))],
])

/** Words that only matter behind others: `order by`, `similar to`, `waitfor delay`, `into outfile`, `date '…'`. */
const followers = rows('by to delay asc desc outfile dumpfile interval immediate')

/** Every lower-case word that means something to the judge. */
export const knownWords: readonly string[] = [
  ...new Set([
    ...words.keys(),
    ...functions.keys(),
    ...[...statementTails.values()].flatMap(tails => [...tails]),
    ...followers,
  ]),
]

/** Type of a lower-case word outside of calls. */
export function wordType(word: string): TokenType {
  return words.get(word) ?? 'n'
}

/** The lower-case words of one type. */
export function wordsOfType(type: TokenType): string[] {
  return [...words].filter(([, of]) => of === type).map(([word]) => word)
}

/** Lower-case names of the functions of a rank or above. */
export function functionNames(rankMin: FunctionRank): string[] {
  return [...functions].filter(([, rank]) => rank >= rankMin).map(([name]) => name)
}

/** Rank of a function by its lower-case name; 0 = unknown. */
export function functionRank(name: string): FunctionRank | 0 {
  return functions.get(name) ?? 0
}

/** Whether a table name (lower case, perhaps dotted) is part of a database's own catalogue. */
export function isCatalogue(name: string): boolean {
  if (catalogues.has(name)) return true
  const dot = name.indexOf('.')
  return dot > 0 && catalogues.has(name.slice(0, dot))
}

/** Whether `second` after the statement word `first` makes a statement (`drop` + `table`). */
export function completesStatement(first: string, second: string): boolean {
  return statementTails.get(first)?.has(second) ?? false
}
