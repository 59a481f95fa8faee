import type { CaseGroup } from '../case.js'
import { definitionOf } from '../custom-resource.js'

const yaml = { headers: { 'content-type': 'application/yaml' } }
const labels = { app: 'a' }

/** Fields in manifests of other projects, and their stored values. */
export const manifestDetails: CaseGroup = {
  name: 'manifest-details',
  cases: [
    {
      name: 'an image that is not the reference of one is not pulled always',
      source: 'k8s.io/kubernetes pkg/util/parsers/parsers.go @ v1.36.3',
      async run({ post, expect }) {
        const images: readonly [image: string, policy: string][] = [
          ['a', 'Always'],
          ['a:latest', 'Always'],
          ['example.com:5000/a/b_c', 'Always'],
          ['localhost/a', 'Always'],
          ['Example/a', 'Always'],
          ['a:1', 'IfNotPresent'],
          [`a@sha256:${'0'.repeat(64)}`, 'IfNotPresent'],
          ['0'.repeat(64), 'IfNotPresent'],
          ['builder://a/b', 'IfNotPresent'],
          ['<image>', 'IfNotPresent'],
          ['Upper', 'IfNotPresent'],
          ['a/', 'IfNotPresent'],
          ['a'.repeat(256), 'IfNotPresent'],
        ]
        const containers = images.map(([image], at) => ({ name: `c${at}`, image }))
        const answer = await post('podtemplates', {
          metadata: { name: 'a' },
          template: { spec: { containers } },
        })
        const { spec } = answer.body.template as { spec: { containers: { imagePullPolicy: string }[] } }
        expect.same(
          spec.containers.map(({ imagePullPolicy }) => imagePullPolicy),
          images.map(([, policy]) => policy),
        )
      },
    },
    {
      name: 'a variable of a limit has a divisor',
      source: 'k8s.io/api core/v1/types.go @ v0.36.3',
      async run({ post, expect }) {
        const env = [{ name: 'A', valueFrom: { resourceFieldRef: { resource: 'limits.cpu' } } }]
        const template = { spec: { containers: [{ name: 'c', image: 'i', env }] } }
        const answer = await post('podtemplates', { metadata: { name: 'a' }, template })
        const resourceFieldRef = { resource: 'limits.cpu', divisor: '0' }
        const stored = { name: 'A', valueFrom: { resourceFieldRef } }
        expect.has(answer.body, { template: { spec: { containers: [{ env: [stored] }] } } })
      },
    },
    {
      name: 'a DaemonSet that was read from another cluster keeps the number of its template',
      source: 'k8s.io/kubernetes pkg/registry/apps/daemonset/strategy.go @ v1.36.3',
      async run({ post, expect }) {
        const name = 'deprecated.daemonset.template.generation'
        const template = { metadata: { labels }, spec: { containers: [{ name: 'c', image: 'i' }] } }
        const spec = { selector: { matchLabels: labels }, template }
        for (const [given, stored] of [
          ['3', '3'],
          ['0', '1'],
          ['-2', '1'],
        ]) {
          const body = { metadata: { name: 'a', annotations: { [name]: given } }, spec }
          const answer = await post('daemonsets?dryRun=All', body)
          expect.same(answer.body.metadata.annotations?.[name], stored)
        }
      },
    },
    {
      name: 'a Job with the labels of its pods does not get those that the server adds to them',
      source: 'k8s.io/kubernetes pkg/apis/batch/v1/defaults.go @ v1.36.3',
      async run({ make, post, expect, read }) {
        const spec = { containers: [{ name: 'c', image: 'i' }], restartPolicy: 'Never' }
        const template = { metadata: { labels }, spec }
        await make('jobs', { metadata: { name: 'a', labels }, spec: { suspend: true, template } })
        expect.same((await read('jobs/a')).metadata.labels, labels)
        const answer = await post('jobs', { metadata: { name: 'b' }, spec: { suspend: true, template } })
        const added = ['batch.kubernetes.io/controller-uid', 'batch.kubernetes.io/job-name']
        const expected = ['app', ...added, 'controller-uid', 'job-name']
        expect.same(Object.keys(answer.body.metadata.labels ?? {}).sort(), expected)
      },
    },
    {
      name: 'a definition in a group of Kubernetes says whether it was approved',
      source: 'https://kep.k8s.io/1111',
      async run(client) {
        const annotations = { 'api-approved.kubernetes.io': 'https://example.com/1' }
        const definition = definitionOf(client) as { metadata: { name: string }; spec: { group: string } }
        const group = `${client.namespace}.k8s.io`
        const name = `cars.${group}`
        const body = { metadata: { name, annotations }, spec: { ...definition.spec, group } }
        await client.make('customresourcedefinitions', body)
        const conditionOf = async () => {
          const { status } = await client.read(`customresourcedefinitions/${name}`)
          const { conditions } = status as { conditions: { type: string; reason: string }[] | null }
          return (conditions ?? []).find(
            ({ type }) => type === 'KubernetesAPIApprovalPolicyConformant',
          ) as object
        }
        await client.until('it has the condition', async () => (await conditionOf()) !== undefined)
        client.expect.has(await conditionOf(), {
          status: 'True',
          reason: 'ApprovedAnnotation',
          message: 'approved in https://example.com/1',
        })
        const patch = { metadata: { annotations: { 'api-approved.kubernetes.io': 'unapproved, a test' } } }
        await client.patch(`customresourcedefinitions/${name}`, 'merge', patch)
        await client.until('the condition follows', async () => {
          const { reason } = (await conditionOf()) as { reason: string }
          return reason === 'UnapprovedAnnotation'
        })
        client.expect.has(await conditionOf(), {
          status: 'False',
          message: 'not approved: "unapproved, a test"',
        })
      },
    },
    {
      name: 'a definition without versions',
      source: 'k8s.io/apiextensions-apiserver pkg/apis/apiextensions/validation/validation.go @ v0.36.3',
      async run({ post, expect }) {
        const answer = await post('customresourcedefinitions', { metadata: { name: 'a' }, spec: {} })
        const why =
          'spec.versions: Invalid value: null: must have exactly one version marked as storage version'
        expect.same([answer.status, String(answer.body.message).includes(why)], [422, true])
      },
    },
    {
      name: 'a name with a quote is quoted in the error',
      source: 'k8s.io/apimachinery pkg/api/errors/errors.go @ v0.36.3',
      async run({ post, expect }) {
        const { body } = await post('configmaps', { metadata: { name: 'a "b"\u0007' } })
        expect.same(String(body.message).slice(0, 33), 'ConfigMap "a \\"b\\"\\a" is invalid:')
      },
    },
    {
      name: 'a block of text at the end of YAML without a line break has none',
      source: 'go.yaml.in/yaml/v2 scannerc.go @ v2.4.3',
      async run({ post, expect }) {
        const text = (end: string) =>
          `apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: a\ndata:\n  k: ${end}`
        for (const [end, value] of [
          ['|\n    b', 'b'],
          ['|\n    b\n', 'b\n'],
          ['|+\n    b', 'b'],
          ['>\n    b\n    c', 'b c'],
          ['|-\n    b', 'b'],
          ['|\n    b\n\n', 'b\n'],
        ] as const) {
          const { body } = await post('configmaps?dryRun=All', text(end), yaml)
          expect.same([end, body.data], [end, { k: value }])
        }
      },
    },
    {
      name: 'the warning of a repeated key names the line of the second value',
      source: 'sigs.k8s.io/yaml goyaml.v2/decode.go @ v1.6.0',
      async run({ post, expect }) {
        const text = 'apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: a\ndata:\n  a: b\ndata:\n  c: d\n'
        const { headers } = await post('configmaps?dryRun=All', text, yaml)
        expect.same(headers.warning, '299 - "line 8: key \\"data\\" already set in map"')
      },
    },
  ],
}
