// Kinds of other projects, written with `defineKind` from their documented fields.
import * as z from 'zod'
import { defineKind } from '../../sdk/operator/kind/define/define-kind.js'
import type { Kind } from '../../sdk/operator/kind/define/kind.js'
import { crdOf } from '../../sdk/operator/kind/definition/crd-of.js'
import { k } from '../../sdk/operator/kind/k/k.js'

/** A kind, and objects of it by which it is compared with the definition of its project. */
export interface UpstreamKind {
  readonly definition: ReturnType<typeof crdOf>
  /** The members of objects besides apiVersion, kind and metadata; most of them are accepted, some are refused. */
  readonly samples: readonly object[]
}

const upstream = (kind: Pick<Kind, 'schemas'> & object, samples: readonly object[]): UpstreamKind => ({
  definition: crdOf(kind as never),
  samples,
})

const approved = (url: string) => ({ 'api-approved.kubernetes.io': url })
const name = '^[a-z0-9]([-a-z0-9]*[a-z0-9])?$'
const group = z
  .string()
  .max(253)
  .regex(/^$|^[a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*$/)
const kindName = z
  .string()
  .min(1)
  .max(63)
  .regex(/^[a-zA-Z]([-a-zA-Z0-9]*[a-zA-Z0-9])?$/)
const namespace = z.string().min(1).max(63).regex(new RegExp(name))
const objectName = z.string().min(1).max(253)

const volumeSnapshotClasses = defineKind({
  group: 'snapshot.storage.k8s.io',
  version: 'v1',
  kind: 'VolumeSnapshotClass',
  scope: 'Cluster',
  shortNames: ['vsclass', 'vsclasses'],
  annotations: approved('https://github.com/kubernetes-csi/external-snapshotter/pull/814'),
  status: false,
  fields: z.object({
    driver: z.string(),
    deletionPolicy: z.enum(['Delete', 'Retain']),
    parameters: z.record(z.string(), z.string()).optional(),
  }),
  columns: [{ name: 'Driver', path: '.driver', type: 'string' }],
})

const volumeGroupSnapshotClasses = defineKind({
  group: 'groupsnapshot.storage.k8s.io',
  version: 'v1beta1',
  kind: 'VolumeGroupSnapshotClass',
  scope: 'Cluster',
  annotations: approved('https://github.com/kubernetes-csi/external-snapshotter/pull/1150'),
  status: false,
  fields: z.object({
    driver: z.string(),
    deletionPolicy: z.enum(['Delete', 'Retain']),
    parameters: z.record(z.string(), z.string()).optional(),
  }),
})

const lockedType = z.enum(['Configuration', 'Provider', 'Function']).optional()
const locks = defineKind({
  group: 'pkg.crossplane.io',
  version: 'v1beta1',
  kind: 'Lock',
  scope: 'Cluster',
  fields: z.object({
    packages: z
      .array(
        z.object({
          name: z.string(),
          source: z.string(),
          version: z.string(),
          apiVersion: z.string().optional(),
          kind: z.string().optional(),
          type: lockedType,
          dependencies: z.array(
            z.object({
              package: z.string(),
              constraints: z.string(),
              apiVersion: z.string().optional(),
              kind: z.string().optional(),
              type: lockedType,
            }),
          ),
        }),
      )
      .optional(),
  }),
})

const gatewayClasses = defineKind({
  group: 'gateway.networking.k8s.io',
  version: 'v1',
  kind: 'GatewayClass',
  scope: 'Cluster',
  shortNames: ['gc'],
  categories: ['gateway-api'],
  annotations: approved('https://github.com/kubernetes-sigs/gateway-api/pull/3328'),
  spec: z.object({
    controllerName: k.immutable(
      z
        .string()
        .min(1)
        .max(253)
        .regex(
          /^[a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*\/[A-Za-z0-9/\-._~%!$&'()*+,;=:]+$/,
        ),
    ),
    description: z.string().max(64).optional(),
    parametersRef: z
      .object({ group, kind: kindName, name: objectName, namespace: namespace.optional() })
      .optional(),
  }),
})

const referenceGrants = defineKind({
  group: 'gateway.networking.k8s.io',
  version: 'v1beta1',
  kind: 'ReferenceGrant',
  annotations: approved('https://github.com/kubernetes-sigs/gateway-api/pull/3328'),
  status: false,
  spec: z
    .object({
      from: z
        .array(z.object({ group, kind: kindName, namespace }))
        .min(1)
        .max(16),
      to: z
        .array(z.object({ group, kind: kindName, name: objectName.optional() }))
        .min(1)
        .max(16),
    })
    .optional(),
})

const metrics = defineKind({
  group: 'autoscaling.internal.knative.dev',
  version: 'v1alpha1',
  kind: 'Metric',
  labels: { 'app.kubernetes.io/name': 'knative-serving', 'knative.dev/crd-install': 'true' },
  categories: ['knative-internal', 'autoscaling'],
  spec: z.object({ panicWindow: z.int(), stableWindow: z.int(), scrapeTarget: z.string() }).optional(),
})

const environmentConfigs = defineKind({
  group: 'apiextensions.crossplane.io',
  version: 'v1beta1',
  kind: 'EnvironmentConfig',
  scope: 'Cluster',
  status: false,
  fields: z.object({ data: z.record(z.string(), z.unknown()).optional() }),
})

const issuer = z.object({ group: z.string().optional(), kind: z.string().optional(), name: z.string() })
const certificateRequests = defineKind({
  group: 'cert-manager.io',
  version: 'v1',
  kind: 'CertificateRequest',
  categories: ['cert-manager'],
  shortNames: ['cr', 'crs'],
  spec: z
    .object({
      issuerRef: issuer,
      request: z.base64(),
      duration: z.string().optional(),
      isCA: z.boolean().optional(),
      uid: z.string().optional(),
      username: z.string().optional(),
      groups: z.array(z.string()).optional(),
      extra: z.record(z.string(), z.array(z.string())).optional(),
    })
    .optional(),
})

const prometheusRules = defineKind({
  group: 'monitoring.coreos.com',
  version: 'v1',
  kind: 'PrometheusRule',
  categories: ['prometheus-operator'],
  shortNames: ['promrule'],
  spec: z.object({
    groups: k
      .listMap(
        z.object({
          name: z.string().min(1),
          labels: z.record(z.string(), z.string()).optional(),
          limit: z.int().optional(),
          query_offset: z
            .string()
            .regex(
              /^(0|(([0-9]+)y)?(([0-9]+)w)?(([0-9]+)d)?(([0-9]+)h)?(([0-9]+)m)?(([0-9]+)s)?(([0-9]+)ms)?)$/,
            )
            .optional(),
          rules: z
            .array(
              z.object({
                alert: z.string().optional(),
                annotations: z.record(z.string(), z.string()).optional(),
                expr: k.intOrString(),
                labels: z.record(z.string(), z.string()).optional(),
                record: z.string().optional(),
              }),
            )
            .optional(),
        }),
        ['name'],
      )
      .optional(),
  }),
})

const usageTarget = k.rule(
  z.object({
    apiVersion: z.string().optional(),
    kind: z.string().optional(),
    resourceRef: z.object({ name: z.string() }).optional(),
    resourceSelector: z
      .object({
        matchControllerRef: z.boolean().optional(),
        matchLabels: z.record(z.string(), z.string()).optional(),
      })
      .optional(),
  }),
  'has(self.resourceRef) || has(self.resourceSelector)',
  { message: 'resourceRef or resourceSelector must be set' },
)
const usages = defineKind({
  group: 'apiextensions.crossplane.io',
  version: 'v1beta1',
  kind: 'Usage',
  scope: 'Cluster',
  categories: ['crossplane'],
  spec: k.rule(
    z.object({
      by: usageTarget.optional(),
      of: usageTarget,
      reason: z.string().optional(),
      replayDeletion: z.boolean().optional(),
    }),
    'has(self.by) || has(self.reason)',
    { message: 'by or reason must be set' },
  ),
})

const grant = { group: 'apps', kind: 'Deployment', namespace: 'a' }

/** The kinds. */
export const upstreamKinds: readonly UpstreamKind[] = [
  upstream(volumeSnapshotClasses, [
    { driver: 'd', deletionPolicy: 'Delete', parameters: { a: 'b' }, pruned: 1 },
    { driver: 'd', deletionPolicy: 'Keep' },
    { driver: 'd' },
    { driver: 'd', deletionPolicy: 'Retain', spec: { a: 1 }, status: { b: 2 } },
    { driver: 'd', deletionPolicy: 'Retain', parameters: { a: 1 } },
  ]),
  upstream(volumeGroupSnapshotClasses, [
    { driver: 'd', deletionPolicy: 'Retain' },
    { deletionPolicy: 'Retain' },
  ]),
  upstream(locks, [
    {},
    { packages: [{ name: 'a', source: 'b', version: 'c', dependencies: [], pruned: true }] },
    { packages: [{ name: 'a', source: 'b', version: 'c' }] },
    {
      packages: [
        {
          name: 'a',
          source: 'b',
          version: 'c',
          dependencies: [{ package: 'p', constraints: '1', type: 'X' }],
        },
      ],
    },
  ]),
  upstream(gatewayClasses, [
    { spec: { controllerName: 'example.com/gateway', pruned: 1 } },
    { spec: { controllerName: 'gateway' } },
    { spec: { controllerName: 'a.b/c', parametersRef: { group: '', kind: 'ConfigMap', name: 'a' } } },
    { spec: { controllerName: 'a.b/c', parametersRef: { group: '', kind: 'ConfigMap', name: '' } } },
    { spec: { controllerName: 'a.b/c', description: 'x'.repeat(65) } },
    {},
  ]),
  upstream(referenceGrants, [
    {},
    { spec: { from: [grant], to: [{ group: '', kind: 'Secret' }] }, status: { a: 1 } },
    { spec: { from: [], to: [{ group: '', kind: 'Secret' }] } },
    { spec: { from: [grant], to: Array.from({ length: 17 }, () => ({ group: '', kind: 'Secret' })) } },
    { spec: { from: [{ ...grant, namespace: 'A' }], to: [{ group: '', kind: 'Secret' }] } },
  ]),
  upstream(metrics, [
    {},
    { spec: { panicWindow: 1, stableWindow: 2, scrapeTarget: 'a', pruned: 1 } },
    { spec: { panicWindow: '1', stableWindow: 2, scrapeTarget: 'a' } },
    { spec: { panicWindow: 1 } },
  ]),
  upstream(environmentConfigs, [
    {},
    { data: { a: 1, b: { c: [true] } }, pruned: 1 },
    { data: 'text' },
    { spec: { a: 1 }, data: {} },
  ]),
  upstream(certificateRequests, [
    {},
    { spec: { issuerRef: { name: 'a', pruned: 1 }, request: 'YQ==', extra: { a: ['b'] } } },
    { spec: { issuerRef: {}, request: 'YQ==' } },
    { spec: { issuerRef: { name: 'a' }, request: '~' } },
  ]),
  upstream(prometheusRules, [
    { spec: {} },
    { spec: { groups: [{ name: 'a', rules: [{ expr: 1 }, { expr: 'up', pruned: 1 }] }] } },
    { spec: { groups: [{ name: 'a' }, { name: 'a' }] } },
    { spec: { groups: [{ name: 'a', query_offset: '1x' }] } },
    { spec: { groups: [{ name: 'a', rules: [{ expr: true }] }] } },
    {},
  ]),
  upstream(usages, [
    { spec: { of: { resourceRef: { name: 'a' } }, reason: 'b' } },
    { spec: { of: {} } },
    { spec: { of: { resourceSelector: { matchLabels: { a: 'b' } } }, by: {} } },
    { spec: { of: { resourceSelector: { matchLabels: { a: 'b' } } } } },
    { spec: { reason: 'b' } },
  ]),
]
