import { defineKind, k, type ObjectOf } from 'vcluster-plugin-sdk/operator'
import * as z from 'zod'

/** A TLS certificate that users of a virtual cluster ask for. An issuer of the host signs it. */
export const certificates = defineKind({
  group: 'tls.my.domain',
  version: 'v1',
  kind: 'Certificate',
  spec: z.object({
    dnsNames: k.listSet(z.string().min(1).max(253)).min(1).max(100),
    secretName: z.string().min(1).max(253).describe('The Secret that gets the certificate and its key.'),
  }),
  status: z.object({ notAfter: z.string().optional() }),
  conditions: ['Ready'],
  columns: [
    { name: 'Ready', path: '.status.conditions[?(@.type=="Ready")].status', type: 'string' },
    { name: 'Secret', path: '.spec.secretName', type: 'string' },
    { name: 'Expires', path: '.status.notAfter', type: 'string', priority: 1 },
  ],
})

/** An object of the kind. */
export type Certificate = ObjectOf<typeof certificates>
