import type { DestinationField, DestinationKind } from './kind.ts'

const host: DestinationField = {
  name: 'host',
  label: 'Host',
  at: 'address',
  required: true,
  placeholder: 'logs.example.com:443',
  pattern: /^[^/\s?#@]+$/,
  otherwise: 'Enter HOST or HOST:PORT, without https:// and path',
}

const anyCertificate: DestinationField = {
  name: 'insecure',
  label: 'Certificate',
  at: { parameter: 'insecure-skip-verify' },
  usual: 'false',
  choices: [
    { value: '', label: 'Verify' },
    { value: 'true', label: 'Do not verify (tests only)' },
  ],
  rare: true,
}

const tls: DestinationField = {
  name: 'tls',
  label: 'Encryption',
  at: { parameter: 'tls' },
  usual: 'true',
  choices: [
    { value: '', label: 'TLS' },
    { value: 'false', label: 'None (trusted networks only)' },
  ],
  rare: true,
}

const user: DestinationField = { name: 'user', label: 'User', at: 'user' }
const password: DestinationField = { name: 'password', label: 'Password', at: 'password', secret: true }

const headers: DestinationField = {
  name: 'headers',
  label: 'Custom headers',
  at: 'headers',
  secret: true,
  rare: true,
}

const moreParameters: DestinationField = {
  name: 'query',
  label: 'Custom query parameters',
  at: 'query',
  secret: true,
  placeholder: 'tags=env:prod',
  help: 'The query, without the question mark.',
  rare: true,
}

const guid: DestinationField = {
  name: 'channel',
  label: 'Channel',
  at: { parameter: 'channel' },
  required: true,
  secret: true,
  pattern: /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i,
  otherwise: 'Enter a GUID, such as 5d9ca6f0-8a0b-4c1f-9d0e-0123456789ab',
  help: 'Any GUID.',
}

/** Fields of collectors with Splunk's protocol. */
function collectorFields(sourceType: string): readonly DestinationField[] {
  return [
    { name: 'type', label: 'Source type', at: { parameter: 'sourcetype' }, value: sourceType },
    {
      name: 'endpoint',
      label: 'Endpoint',
      at: 'address',
      value: 'raw',
      choices: [
        { value: 'raw', label: 'Raw (Splunk splits events)' },
        { value: 'event', label: 'Event (one per line)' },
      ],
      rare: true,
    },
    anyCertificate,
    moreParameters,
  ]
}

/** A secret in the Authorization header, after the scheme. */
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
    about: 'New Relic Log API',
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
        help: 'A license key (ingest). Select unix or unixnano timestamps in the format step.',
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
    about: 'Any endpoint that accepts POST with gzip',
    template: '{protocol}://{address}',
    fields: [
      {
        name: 'protocol',
        label: 'Protocol',
        at: 'address',
        value: 'https',
        choices: [
          { value: 'https', label: 'https' },
          { value: 'http', label: 'http (trusted networks only)' },
        ],
      },
      {
        name: 'address',
        label: 'Host and path',
        at: 'address',
        required: true,
        placeholder: 'logs.example.com/ingest',
        pattern: /^[^/\s?#@:]+(?::\d+)?(?:\/[^\s?#]*)?$/,
        otherwise: 'Enter host and path, without https:// and query',
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
    about: 'SentinelOne collector',
    template: 'sentinelone://{host}/services/collector/{endpoint}',
    fields: [host, authorization('Bearer', 'Token'), ...collectorFields('marketplace-cloudflare-latest')],
  },
  {
    id: 'datadog',
    title: 'Datadog',
    about: 'Datadog log intake',
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
    about: 'Sumo Logic HTTP source',
    template: 'sumo://{host}/receiver/v1/http/{token}',
    fields: [
      { ...host, placeholder: 'endpoint1.collection.sumologic.com' },
      {
        name: 'token',
        label: 'Token',
        at: 'address',
        required: true,
        secret: true,
        help: 'The last path segment of the HTTP source URL.',
      },
    ],
    needsOwnership: () => true,
    challengeAt: 'as a message of the source, for example in Live Tail',
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
        otherwise: 'Use lower-case letters, digits, dots, hyphens and underscores',
      },
      {
        name: 'key',
        label: 'API key',
        at: { header: 'Authorization', before: 'ApiKey ' },
        secret: true,
        help: 'Or enter user and password.',
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
    about: 'A stream in Loki or Grafana Cloud',
    template: 'loki://{host}/{path}',
    fields: [
      { ...host, placeholder: 'loki.example.com:3100' },
      user,
      { ...password, help: 'Grafana Cloud tokens need logs:write.' },
      {
        name: 'labels',
        label: 'Stream labels',
        at: 'labels',
        help: 'Up to 15. Default: job="sluice".',
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
    about: 'One message per line',
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
        otherwise: 'Enter HOST:PORT, separated by commas',
      },
      {
        name: 'topic',
        label: 'Topic',
        at: 'address',
        required: true,
        pattern: /^[a-zA-Z0-9._-]{1,249}$/,
        otherwise: 'Use letters, digits, dots, hyphens and underscores',
      },
      user,
      password,
      {
        name: 'sasl',
        label: 'SASL mechanism',
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
        title: 'Allow the user to write to the topic',
        text: `kafka-acls.sh --bootstrap-server BROKER:9092 --add --allow-principal User:${name || 'USER'} --operation Write --operation Describe --topic ${topic || 'TOPIC'}`,
      },
    ],
  },
]
