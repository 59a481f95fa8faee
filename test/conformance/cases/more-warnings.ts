import type { CaseGroup } from '../case.js'
import type { CaseClient } from '../case-client.js'
import { define } from '../custom-resource.js'

const container = { name: 'c', image: 'i' }
const withContainer = (fields: object) => ({ containers: [{ ...container, ...fields }] })

/** The warnings for a pod with these fields, in addition to its one container. */
const podWarnings: readonly [metadata: object, spec: object, warnings: readonly string[]][] = [
  [
    { annotations: { 'scheduler.alpha.kubernetes.io/critical-pod': '' } },
    {},
    [
      'metadata.annotations[scheduler.alpha.kubernetes.io/critical-pod]: non-functional in v1.16+; use the "priorityClassName" field instead',
    ],
  ],
  [
    { annotations: { 'container.apparmor.security.beta.kubernetes.io/c': 'runtime/default' } },
    {},
    [
      'metadata.annotations[container.apparmor.security.beta.kubernetes.io/c]: deprecated since v1.30; use the "appArmorProfile" field instead',
    ],
  ],
  [
    {},
    { volumes: [{ name: 'v', gitRepo: { repository: 'x' } }] },
    ['spec.volumes[0].gitRepo: deprecated in v1.11, and disabled by default in v1.33+'],
  ],
  [
    {},
    { volumes: [{ name: 'v', storageos: { volumeName: 'x' } }] },
    ['spec.volumes[0].storageOS: deprecated in v1.22, non-functional in v1.25+'],
  ],
  [
    {},
    { hostAliases: [{ ip: '1.1.1.1' }, { ip: '1.1.1.1' }] },
    ['spec.hostAliases[1].ip: duplicate ip "1.1.1.1"'],
  ],
  [{}, { imagePullSecrets: [{}] }, ['spec.imagePullSecrets[0].name: invalid empty name ""']],
  [
    {},
    withContainer({ env: [{ name: 'A' }, { name: 'A' }] }),
    ['spec.containers[0].env[1]: hides previous definition of "A", which may be dropped when using apply'],
  ],
  [
    {},
    withContainer({ ports: [{ containerPort: 80 }, { containerPort: 80 }] }),
    ['spec.containers[0].ports[1]: duplicate port definition with spec.containers[0].ports[0]'],
  ],
  [
    {},
    withContainer({ resources: { requests: { memory: '100m' } } }),
    [
      'spec.containers[0].resources.requests[memory]: fractional byte value "100m" is invalid, must be an integer',
    ],
  ],
  [
    {},
    {
      ...withContainer({ ports: [{ containerPort: 80, name: 'p' }] }),
      initContainers: [
        {
          ...container,
          name: 'd',
          ports: [{ containerPort: 80, name: 'p', hostIP: '10.0.0.1', protocol: 'TCP' }],
        },
      ],
    },
    [
      'spec.initContainers[0].ports[0]: hostIP set without hostPort: {Name:p HostPort:0 ContainerPort:80 Protocol:TCP HostIP:10.0.0.1}',
      'spec.containers[0].ports[0]: overlapping port definition with spec.initContainers[0].ports[0]',
      'spec.containers[0].ports[0]: duplicate port name "p" with spec.initContainers[0].ports[0], services and probes that select ports by name will use spec.initContainers[0].ports[0]',
    ],
  ],
  [
    {},
    withContainer({
      env: [
        { name: 'A', value: '1' },
        { name: 'A', value: '$(A)2' },
      ],
    }),
    [],
  ],
  [
    {},
    {
      nodeSelector: { 'node-role.kubernetes.io/master': '' },
      affinity: {
        nodeAffinity: {
          preferredDuringSchedulingIgnoredDuringExecution: [
            {
              weight: 1,
              preference: {
                matchExpressions: [{ key: 'beta.kubernetes.io/os', operator: 'In', values: ['-a'] }],
              },
            },
          ],
        },
      },
    },
    [
      'spec.nodeSelector[node-role.kubernetes.io/master]: use "node-role.kubernetes.io/control-plane" instead',
      'spec.affinity.nodeAffinity.preferredDuringSchedulingIgnoredDuringExecution[0].preference.matchExpressions[0].key: beta.kubernetes.io/os is deprecated since v1.14; use "kubernetes.io/os" instead',
      "spec.affinity.nodeAffinity.preferredDuringSchedulingIgnoredDuringExecution[0].preference.matchExpressions[0].values[0]: -a is invalid, a valid label must be an empty string or consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character (e.g. 'MyValue',  or 'my_value',  or '12345', regex used for validation is '(([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9])?')",
    ],
  ],
  [
    {},
    {
      volumes: [
        {
          name: 'v',
          projected: {
            sources: [
              { secret: { name: 's', items: [{ key: 'k', path: 'a' }] } },
              { configMap: { name: 'm', items: [{ key: 'k', path: 'a/b' }] } },
            ],
          },
        },
      ],
    },
    ['volume "v" (Projected): overlapping paths: "a/b" (ConfigMap "m") with "a" (Secret "s")'],
  ],
  [
    {},
    { dnsPolicy: 'None', dnsConfig: { nameservers: ['2001:DB8::1'] } },
    [
      'spec.dnsConfig.nameservers[0]: IPv6 address "2001:DB8::1" should be in RFC 5952 canonical format ("2001:db8::1")',
    ],
  ],
  [
    {},
    {
      topologySpreadConstraints: [
        {
          maxSkew: 1,
          topologyKey: 'failure-domain.beta.kubernetes.io/zone',
          whenUnsatisfiable: 'DoNotSchedule',
        },
      ],
    },
    [
      'spec.topologySpreadConstraints[0].topologyKey: failure-domain.beta.kubernetes.io/zone is deprecated since v1.17; use "topology.kubernetes.io/zone" instead',
      'spec.topologySpreadConstraints[0].labelSelector: a null labelSelector results in matching no pod',
    ],
  ],
]

const told = (warnings: readonly string[]) =>
  warnings.map((text) => `299 - "${text.replaceAll('"', '\\"')}"`).join(', ')

async function made(
  { post, expect }: CaseClient,
  reference: string,
  body: object,
  warnings: readonly string[],
): Promise<void> {
  const answer = await post(`${reference}?dryRun=All`, body)
  expect.same([answer.status, answer.headers.warning ?? ''], [201, told(warnings)])
}

/** Warnings of built-in kinds and of custom resources. */
export const moreWarnings: CaseGroup = {
  name: 'more-warnings',
  cases: [
    {
      name: 'a pod has warnings about deprecated fields and about elements with ambiguous merge keys',
      source: 'pkg/api/pod/warnings.go @ v1.36.3',
      async run(client) {
        await client.make('serviceaccounts', { metadata: { name: 'default' } }).catch(() => undefined)
        for (const [metadata, spec, warnings] of podWarnings) {
          const body = { metadata: { name: 'a', ...metadata }, spec: { ...withContainer({}), ...spec } }
          await made(client, 'pods', body, warnings)
        }
      },
    },
    {
      name: 'a pod template has the same warnings, and a name that is not a DNS label',
      source: 'pkg/registry/apps/deployment/strategy.go @ v1.36.3',
      async run(client) {
        const template = {
          metadata: { labels: { a: 'b' } },
          spec: { ...withContainer({}), imagePullSecrets: [{}] },
        }
        const spec = { selector: { matchLabels: { a: 'b' } }, template }
        await made(client, 'deployments', { metadata: { name: 'a.b' }, spec }, [
          'metadata.name: this is used in Pod names and hostnames, which can result in surprising behavior; a DNS label is recommended: [must not contain dots]',
          'spec.template.spec.imagePullSecrets[0].name: invalid empty name ""',
        ])
      },
    },
    {
      name: 'a Job, a CronJob and a ReplicationController warn of their templates, and of a long name',
      source: 'pkg/registry/batch/job/strategy.go @ v1.36.3',
      async run(client) {
        const template = {
          metadata: { labels: { a: 'b' } },
          spec: { ...withContainer({}), restartPolicy: 'Never', imagePullSecrets: [{}] },
        }
        const advice =
          'metadata.name: this is used in Pod names and hostnames, which can result in surprising behavior; a DNS label is recommended: [must not contain dots]'
        const nameless = (path: string) => `${path}.spec.imagePullSecrets[0].name: invalid empty name ""`
        await made(client, 'jobs', { metadata: { name: 'a.b' }, spec: { template } }, [
          advice,
          nameless('spec.template'),
        ])
        const cron = { schedule: '* * * * *', jobTemplate: { spec: { template } } }
        await made(client, 'cronjobs', { metadata: { name: 'a.b' }, spec: cron }, [
          advice,
          nameless('spec.jobTemplate.spec.template'),
        ])
        const always = { ...template, spec: { ...template.spec, restartPolicy: 'Always' } }
        const long = 'a'.repeat(64)
        await made(
          client,
          'replicationcontrollers',
          { metadata: { name: long }, spec: { template: always } },
          [
            advice.replace('must not contain dots', 'must be no more than 63 characters'),
            nameless('spec.template'),
          ],
        )
      },
    },
    {
      name: 'a changed template of a workload has warnings, other changes have none',
      source: 'pkg/registry/apps/deployment/strategy.go @ v1.36.3',
      async run(client) {
        const template = { metadata: { labels: { a: 'b' } }, spec: withContainer({}) }
        const spec = { replicas: 0, selector: { matchLabels: { a: 'b' } }, template }
        await client.make('deployments', { metadata: { name: 'a' }, spec })
        const change = (patch: object) => client.patch('deployments/a', 'merge', patch)
        const odd = await change({ spec: { template: { spec: { imagePullSecrets: [{}] } } } })
        const text = 'spec.template.spec.imagePullSecrets[0].name: invalid empty name ""'
        client.expect.same(odd.headers.warning, told([text]))
        const labelled = await change({ metadata: { labels: { c: 'd' } } })
        client.expect.same(labelled.headers.warning, undefined)
      },
    },
    {
      name: 'a Secret without a certificate, and a volume of an old kind',
      source: 'pkg/registry/core/secret/strategy.go @ v1.36.3',
      async run(client) {
        const data = { 'tls.crt': 'YQ==', 'tls.key': 'YQ==' }
        await made(client, 'secrets', { metadata: { name: 'a' }, type: 'kubernetes.io/tls', data }, [
          'tls: failed to find any PEM data in certificate input',
        ])
        const annotations = { 'volume.beta.kubernetes.io/mount-options': 'a' }
        const spec = {
          capacity: { storage: '1Gi' },
          accessModes: ['ReadWriteOnce'],
          rbd: { monitors: ['m'], image: 'i' },
        }
        await made(client, 'persistentvolumes', { metadata: { name: 'more-warnings', annotations }, spec }, [
          'metadata.annotations[volume.beta.kubernetes.io/mount-options]: deprecated since v1.31; use "mountOptions" attribute instead',
          'spec.rbd: deprecated in v1.28, non-functional in v1.31+',
        ])
      },
    },
    {
      name: 'a finalizer of a custom resource without a path',
      source: 'k8s.io/apiextensions-apiserver pkg/registry/customresource/validator.go @ v0.36.3',
      async run(client) {
        const { group, path } = await define(client)
        const metadata = { name: 'a', finalizers: ['example.com/a', 'b', 'b.example.com'] }
        const body = { apiVersion: `${group}/v1`, kind: 'Car', metadata }
        const advice = (more: string) =>
          `prefer a domain-qualified finalizer name${more} to avoid accidental conflicts with other finalizer writers`
        await made(client, path(), body, [
          `metadata.finalizers: "b": ${advice('')}`,
          `metadata.finalizers: "b.example.com": ${advice(' including a path (/)')}`,
        ])
      },
    },
    {
      name: 'annotations that were replaced by fields cause warnings',
      source: 'pkg/registry/networking/ingress/strategy.go @ v1.36.3',
      async run(client) {
        const annotations = { 'kubernetes.io/ingress.class': 'x' }
        const defaultBackend = { service: { name: 'a', port: { number: 80 } } }
        const ingress = { metadata: { name: 'a', annotations }, spec: { defaultBackend } }
        await made(client, 'ingresses', ingress, [
          'annotation "kubernetes.io/ingress.class" is deprecated, please use \'spec.ingressClassName\' instead',
        ])
      },
    },
    {
      name: 'a deprecated version of a custom resource causes a warning, with a better version',
      source: 'https://kep.k8s.io/1693',
      async run(client) {
        const schema = { openAPIV3Schema: { type: 'object' } }
        const version = (name: string, more: object) => ({
          name,
          served: true,
          storage: false,
          schema,
          ...more,
        })
        const { group, path } = await define(client, {
          versions: [
            version('v1', { storage: true, deprecated: true }),
            version('v2', { deprecated: true, deprecationWarning: 'go away' }),
            version('v3', {}),
            version('v4beta1', {}),
          ],
        })
        const { get, expect } = client
        const warningOf = async (name: string) => (await get(path('', name))).headers.warning
        expect.same(await warningOf('v1'), told([`${group}/v1 Car is deprecated; use ${group}/v3 Car`]))
        expect.same(await warningOf('v2'), told(['go away']))
        expect.same(await warningOf('v3'), undefined)
        expect.ok(
          (await get(path('missing', 'v1'))).headers.warning !== undefined,
          'even if nothing is found',
        )
      },
    },
    {
      name: 'a hostname is one label, or ends in one of letters',
      source: 'github.com/go-openapi/strfmt default.go @ v0.24.0',
      async run(client) {
        const spec = { type: 'object', properties: { host: { type: 'string', format: 'hostname' } } }
        const { create } = await define(client, { spec })
        for (const [host, status] of [
          ['abc', 201],
          ['a.co', 201],
          ['1.2.3.com', 201],
          ['a.b', 422],
          ['1.2.3.4', 422],
          ['x.c0m', 422],
          ['a_b', 422],
        ] as const)
          client.expect.same(
            [host, (await create(host.replace('_', '-'), { spec: { host } })).status],
            [host, status],
          )
      },
    },
    {
      name: 'a watch has no continue token, and no initial events at a future revision',
      source: 'k8s.io/apimachinery pkg/apis/meta/internalversion/validation @ v0.36.3',
      async run({ get, watch, expect }) {
        expect.invalid(await get('configmaps?watch=true&continue=abc'), {
          kind: 'ListOptions',
          group: 'meta.k8s.io',
          name: '',
          because: [
            'resourceVersionMatch: Forbidden: resourceVersionMatch is forbidden when continue is provided',
          ],
        })
        const query = 'sendInitialEvents=true&resourceVersionMatch=NotOlderThan&resourceVersion=99999999'
        const stream = await watch(`configmaps?${query}`)
        const event = await stream.next()
        expect.has(event, {
          type: 'ERROR',
          object: {
            code: 504,
            reason: 'Timeout',
            details: { causes: [{ reason: 'ResourceVersionTooLarge' }] },
          },
        })
      },
    },
  ],
}
