import { clientNetwork } from '../../kit/cidr.ts'
import { fieldsOf } from './http-field.ts'
import { constantField, neutralFields } from './neutral-values.ts'

/** Facts about the connection and the edge. */
export const edgeFields = [
  ...fieldsOf([
    [
      'cf.edge.server_ip',
      'IP',
      'The address of this machine that the client, or a proxy before it, reached.',
      view => (view.serverIp === '' ? undefined : view.serverIp),
    ],
    [
      'cf.edge.server_port',
      'Integer',
      'The port that the client, or a proxy before it, reached.',
      view => view.serverPort,
    ],
    ['cf.edge.client_port', 'Integer', 'The port that the connection came from.', view => view.clientPort],
    ['cf.zone.name', 'String', 'Name of the zone.', view => view.zoneName],
    ['cf.random_seed', 'Bytes', '16 random bytes, the same throughout the request.', view => view.randomSeed],
    [
      'cf.ray_id',
      'String',
      'The id of the request; the client sees it in the Ray-ID header.',
      view => view.rayId,
    ],
  ]),
  constantField('cf.edge.client_tcp', 'Boolean', true, 'the edge speaks HTTP over TCP only'),
  constantField('cf.zone.plan', 'String', 'ENT', 'every feature is available to a zone'),
  ...neutralFields('the system does not report the rate of a connection', [
    ['cf.edge.l4.delivery_rate', 'Integer'],
  ]),
  ...neutralFields('the system does not report the round-trip time of a connection', [
    ['cf.timings.client_tcp_rtt_msec', 'Integer'],
  ]),
  ...neutralFields('the edge speaks HTTP over TCP only', [['cf.timings.client_quic_rtt_msec', 'Integer']]),
  ...neutralFields('there is no metadata of custom hostnames', [['cf.hostname.metadata', 'String']]),
  ...neutralFields('there are no Workers', [['cf.worker.upstream_zone', 'String']]),
  ...neutralFields('Cloudflare no longer fills it either', [['cf.threat_score', 'Integer']]),
]

/** Required or allowed only as characteristics of rate limits. */
export const characteristicFields = [
  constantField(
    'cf.colo.id',
    'Integer',
    1,
    'an installation is one location, whose edges count together',
    'characteristic',
  ),
  ...fieldsOf([
    [
      'cf.unique_visitor_id',
      'String',
      "The client's address, of IPv6 its /64: visitors behind one address are counted together.",
      view => clientNetwork(view.clientIp),
      'characteristic',
    ],
  ]),
]
