import { apiFields } from './api-fields.ts'
import { bodyFields } from './body-fields.ts'
import { detectionFields } from './detection-fields.ts'
import { characteristicFields, edgeFields } from './edge-fields.ts'
import { geoFields } from './geo-fields.ts'
import { headerFields } from './header-fields.ts'
import type { HttpField } from './http-field.ts'
import { rawRequestFields, requestFields } from './request-fields.ts'
import { responseFields } from './response-fields.ts'
import { tlsFields } from './tls-fields.ts'

/** Every field by its family. To add one, extend its family's file. */
export const fieldFamilies: readonly { readonly title: string; readonly fields: readonly HttpField[] }[] = [
  { title: 'The request', fields: requestFields },
  { title: 'The request as received', fields: rawRequestFields },
  { title: 'Headers', fields: headerFields },
  { title: 'The body', fields: bodyFields },
  { title: 'The client and its location', fields: geoFields },
  { title: 'The edge and the connection', fields: edgeFields },
  { title: 'The response', fields: responseFields },
  { title: 'Characteristics of rate limits', fields: characteristicFields },
  { title: 'TLS and client certificates', fields: tlsFields },
  { title: 'API Shield', fields: apiFields },
  { title: 'Detections of Cloudflare', fields: detectionFields },
]

/** Every field of expressions; each states where it is available. */
export const httpFields: readonly HttpField[] = fieldFamilies.flatMap(({ fields }) => fields)
