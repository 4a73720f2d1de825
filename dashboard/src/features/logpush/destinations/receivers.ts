import type { DestinationField, DestinationKind } from './kind.ts'

const host: DestinationField = {
  name: 'host',
  label: 'Host',
  at: 'address',
  required: true,
  placeholder: 'logs.example.com:443',
  pattern: /^[^/\s?#@]+$/,
  otherwise: 'A host with its port if need be, without https:// and path',
}

const anyCertificate: DestinationField = {
  name: 'insecure',
  label: 'Certificate',
  at: { parameter: 'insecure-skip-verify' },
  usual: 'false',
  choices: [
    { value: '', label: 'Has to be valid' },
    { value: 'true', label: 'Any is taken: only for tests' },
  ],
  rare: true,
}

const tls: DestinationField = {
  name: 'tls',
  label: 'Encryption on the way',
  at: { parameter: 'tls' },
  usual: 'true',
  choices: [
    { value: '', label: 'TLS' },
    { value: 'false', label: 'None: only inside a trusted network' },
  ],
  rare: true,
}

const user: DestinationField = { name: 'user', label: 'User', at: 'user' }
const password: DestinationField = { name: 'password', label: 'Password', at: 'password', secret: true }

const headers: DestinationField = {
  name: 'headers',
  label: 'More headers',
  at: 'headers',
  secret: true,
  rare: true,
}

const moreParameters: DestinationField = {
  name: 'query',
  label: 'More parameters of the address',
  at: 'query',
  secret: true,
  placeholder: 'tags=env:prod',
  help: 'As they stand behind the question mark.',
  rare: true,
}

const guid: DestinationField = {
  name: 'channel',
  label: 'Channel',
  at: { parameter: 'channel' },
  required: true,
  secret: true,
  pattern: /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i,
  otherwise: 'A GUID of your choice, such as 5d9ca6f0-8a0b-4c1f-9d0e-0123456789ab',
  help: 'A GUID of your choice.',
}

/** What collectors that speak as Splunk's does have in common. */
function collectorFields(sourceType: string): readonly DestinationField[] {
  return [
    { name: 'type', label: 'Source type', at: { parameter: 'sourcetype' }, value: sourceType },
    {
      name: 'endpoint',
      label: 'What a line becomes',
      at: 'address',
      value: 'raw',
      choices: [
        { value: 'raw', label: 'Raw text, broken into events there' },
        { value: 'event', label: 'One event' },
      ],
      rare: true,
    },
    anyCertificate,
    moreParameters,
  ]
}

/** A secret that stands in the Authorization header behind the name of its scheme. */
function authorization(scheme: string, label: string): DestinationField {
  return {
    name: 'token',
    label,
    at: { header: 'Authorization', before: `${scheme} ` },
    required: true,
    secret: true,
  }
}

export const receivers: readonly DestinationKind[] = [
  {
    id: 'newrelic',
    title: 'New Relic',
    about: 'The Log API of New Relic',
    template: 'https://{host}/log/v1',
    fields: [
      {
        name: 'host',
        label: 'Region',
        at: 'address',
        value: 'log-api.newrelic.com',
        choices: [
          { value: 'log-api.newrelic.com', label: 'United States' },
          { value: 'log-api.eu.newrelic.com', label: 'Europe' },
        ],
      },
      {
        name: 'key',
        label: 'License key',
        at: { parameter: 'Api-Key' },
        required: true,
        secret: true,
        help: 'A license key (ingest). Choose unix or unixnano times in the format step.',
      },
      {
        name: 'format',
        label: 'Format',
        at: { parameter: 'format' },
        value: 'cloudflare',
        rare: true,
      },
    ],
  },
  {
    id: 'https',
    title: 'HTTP endpoint',
    about: 'Anything that takes POST with gzip',
    template: '{protocol}://{address}',
    fields: [
      {
        name: 'protocol',
        label: 'Protocol',
        at: 'address',
        value: 'https',
        choices: [
          { value: 'https', label: 'https' },
          { value: 'http', label: 'http: only inside a trusted network' },
        ],
      },
      {
        name: 'address',
        label: 'Host and path',
        at: 'address',
        required: true,
        placeholder: 'logs.example.com/ingest',
        pattern: /^[^/\s?#@:]+(?::\d+)?(?:\/[^\s?#]*)?$/,
        otherwise: 'Host and path, without https:// and without a question mark',
      },
      {
        name: 'authorization',
        label: 'Authorization header',
        at: { header: 'Authorization' },
        secret: true,
        placeholder: 'Bearer …',
      },
      {
        name: 'type',
        label: 'Content-Type header',
        at: { header: 'Content-Type' },
        placeholder: 'text/plain; charset=utf-8',
        rare: true,
      },
      { ...user, rare: true },
      { ...password, rare: true },
      headers,
      moreParameters,
    ],
  },
  {
    id: 'splunk',
    title: 'Splunk',
    about: 'HTTP Event Collector',
    template: 'splunk://{host}/services/collector/{endpoint}',
    fields: [
      { ...host, placeholder: 'splunk.example.com:8088' },
      authorization('Splunk', 'HEC token'),
      guid,
      ...collectorFields('cloudflare:json'),
    ],
  },
  {
    id: 'sentinelone',
    title: 'SentinelOne',
    about: 'Collector of SentinelOne',
    template: 'sentinelone://{host}/services/collector/{endpoint}',
    fields: [host, authorization('Bearer', 'Token'), ...collectorFields('marketplace-cloudflare-latest')],
  },
  {
    id: 'datadog',
    title: 'Datadog',
    about: 'Log intake of Datadog',
    template: 'datadog://{host}/api/v2/logs',
    fields: [
      { ...host, label: 'Intake', value: 'http-intake.logs.datadoghq.com' },
      {
        name: 'key',
        label: 'API key',
        at: { header: 'DD-API-KEY' },
        required: true,
        secret: true,
        help: 'An API key, not an application key.',
      },
      { name: 'source', label: 'Source', at: { parameter: 'ddsource' }, value: 'cloudflare' },
      { name: 'service', label: 'Service', at: { parameter: 'service' } },
      { name: 'hostname', label: 'Host name', at: { parameter: 'host' }, rare: true },
      {
        name: 'tags',
        label: 'Tags',
        at: { parameter: 'ddtags' },
        placeholder: 'env:prod,team:web',
        rare: true,
      },
      moreParameters,
    ],
  },
  {
    id: 'sumo',
    title: 'Sumo Logic',
    about: 'An HTTP source of Sumo Logic',
    template: 'sumo://{host}/receiver/v1/http/{token}',
    fields: [
      { ...host, placeholder: 'endpoint1.collection.sumologic.com' },
      {
        name: 'token',
        label: 'Token',
        at: 'address',
        required: true,
        secret: true,
        help: 'The end of the address of the HTTP source.',
      },
    ],
    needsOwnership: () => true,
    challengeAt: 'as a message of the source: look at Live Tail',
  },
  {
    id: 'elastic',
    title: 'Elasticsearch, OpenSearch',
    about: 'Documents in an index',
    template: 'elastic://{host}/{index}',
    fields: [
      { ...host, placeholder: 'elastic.example.com:9200' },
      {
        name: 'index',
        label: 'Index',
        at: 'address',
        required: true,
        pattern: /^[a-z0-9.][a-z0-9._-]{0,254}$/,
        otherwise: 'Names of indices are lower-case letters, digits, dots, hyphens and underscores',
      },
      {
        name: 'key',
        label: 'API key',
        at: { header: 'Authorization', before: 'ApiKey ' },
        secret: true,
        help: 'Or user and password.',
      },
      user,
      password,
      tls,
      anyCertificate,
      headers,
    ],
    permissions: ({ index }) => [
      {
        title: 'Privileges of the key or role',
        text: JSON.stringify(
          { indices: [{ names: [index || 'INDEX'], privileges: ['create_doc', 'auto_configure'] }] },
          undefined,
          2,
        ),
      },
    ],
  },
  {
    id: 'loki',
    title: 'Grafana Loki',
    about: 'A stream of Loki or Grafana Cloud',
    template: 'loki://{host}/{path}',
    fields: [
      { ...host, placeholder: 'loki.example.com:3100' },
      user,
      { ...password, help: 'A token for Grafana Cloud needs logs:write.' },
      {
        name: 'labels',
        label: 'Labels of the stream',
        at: 'labels',
        help: 'At most 15. Without any it is job="sluice".',
      },
      { name: 'tenant', label: 'Tenant', at: { header: 'X-Scope-OrgID' }, rare: true },
      { name: 'path', label: 'Path', at: 'address', placeholder: 'loki/api/v1/push', rare: true },
      tls,
      anyCertificate,
      headers,
    ],
  },
  {
    id: 'kafka',
    title: 'Apache Kafka',
    about: 'Messages of a topic, one a line',
    template: 'kafka://{brokers}/{topic}',
    fields: [
      {
        name: 'brokers',
        label: 'Brokers',
        at: 'address',
        required: true,
        placeholder: 'kafka1.example.com:9092,kafka2.example.com:9092',
        pattern:
          /^(?:[a-zA-Z0-9._-]+|\[[0-9a-fA-F:.]+\]):\d{1,5}(?:,(?:[a-zA-Z0-9._-]+|\[[0-9a-fA-F:.]+\]):\d{1,5})*$/,
        otherwise: 'HOST:PORT, several with commas between them',
      },
      {
        name: 'topic',
        label: 'Topic',
        at: 'address',
        required: true,
        pattern: /^[a-zA-Z0-9._-]{1,249}$/,
        otherwise: 'Names of topics are letters, digits, dots, hyphens and underscores',
      },
      user,
      password,
      {
        name: 'sasl',
        label: 'How the user signs in',
        at: { parameter: 'sasl' },
        usual: 'PLAIN',
        choices: [
          { value: '', label: 'PLAIN' },
          { value: 'SCRAM-SHA-256', label: 'SCRAM-SHA-256' },
          { value: 'SCRAM-SHA-512', label: 'SCRAM-SHA-512' },
        ],
        rare: true,
      },
      tls,
    ],
    permissions: ({ user: name, topic }) => [
      {
        title: 'Let the user write to the topic',
        text: `kafka-acls.sh --bootstrap-server BROKER:9092 --add --allow-principal User:${name || 'USER'} --operation Write --operation Describe --topic ${topic || 'TOPIC'}`,
      },
    ],
  },
]
