import type { Case, CaseGroup } from '../case.js'

const labels = 'Kubernetes documentation, Labels and Selectors'
const fields = 'Kubernetes documentation, Field Selectors'

const objects = [
  { name: 'a', labels: { app: 'web', tier: 'front' } },
  { name: 'b', labels: { app: 'web', tier: 'back' } },
  { name: 'c', labels: { app: 'db' } },
  { name: 'd', labels: { other: '' } },
]

/** Four Secrets, of which a label selector matches some. */
const chooses = (name: string, selector: string, expected: string): Case => ({
  name,
  source: labels,
  async run({ make, read, expect }) {
    for (const metadata of objects) await make('secrets', { metadata })
    const { items = [] } = await read(`secrets?labelSelector=${encodeURIComponent(selector)}`)
    expect.same(items.map(({ metadata }) => metadata.name).join(' '), expected)
  },
})

const refuses = (name: string, query: string, message: string): Case => ({
  name,
  source: 'k8s.io/apimachinery pkg/labels/selector.go and pkg/fields/selector.go @ v0.36.3',
  async run({ get, expect }) {
    expect.refused(await get(`secrets?${query}`), { code: 400, reason: 'BadRequest', message })
  },
})

/** Label and field selectors. */
export const selectors: CaseGroup = {
  name: 'selectors',
  cases: [
    chooses('a label with a value', 'app=web', 'a b'),
    chooses('two equals signs are one', 'app==web', 'a b'),
    chooses('another value, or no label', 'app!=web', 'c d'),
    chooses('all requirements must match', 'app=web,tier=back', 'b'),
    chooses('one of a set', 'app in (web, db)', 'a b c'),
    chooses('none of a set', 'app notin (web)', 'c d'),
    chooses('an existing label', 'tier', 'a b'),
    chooses('a missing label', '!tier', 'c d'),
    chooses('a label with an empty value', 'other=', 'd'),
    chooses('an empty selector matches all', '', 'a b c d'),
    chooses('nothing matches', 'app=none', ''),
    {
      name: 'labels with numbers are compared as numbers',
      source: 'k8s.io/apimachinery pkg/labels/selector.go @ v0.36.3',
      async run({ make, read, expect }) {
        for (const size of ['9', '10', 'x']) {
          await make('secrets', { metadata: { name: `s${size}`, labels: { size } } })
        }
        const { items = [] } = await read('secrets?labelSelector=size%3E9')
        expect.same(
          items.map(({ metadata }) => metadata.name),
          ['s10'],
        )
      },
    },
    refuses(
      'a label selector with a syntax error is rejected',
      'labelSelector=a%20in%20(b',
      "unable to parse requirement: found '', expected: ',' or ')'",
    ),
    refuses(
      'a label selector with an invalid value is rejected',
      'labelSelector=a%3D-b-',
      "unable to parse requirement: values[0][a]: Invalid value: \"-b-\": a valid label must be an empty string or consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character (e.g. 'MyValue',  or 'my_value',  or '12345', regex used for validation is '(([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9])?')",
    ),
    {
      name: 'a field selector selects one object by name',
      source: fields,
      async run({ make, read, expect }) {
        for (const metadata of objects) await make('secrets', { metadata })
        expect.has(await read('secrets?fieldSelector=metadata.name%3Dc'), {
          items: [{ metadata: { name: 'c' } }],
        })
      },
    },
    {
      name: 'a field selector excludes one object by name',
      source: fields,
      async run({ make, read, expect }) {
        for (const metadata of objects) await make('secrets', { metadata })
        const { items = [] } = await read('secrets?fieldSelector=metadata.name!%3Dc')
        expect.same(
          items.map(({ metadata }) => metadata.name),
          ['a', 'b', 'd'],
        )
      },
    },
    {
      name: 'a field selector selects a namespace in the list of all',
      source: fields,
      async run({ make, read, namespace, expect }) {
        await make('secrets', { metadata: { name: 'a' } })
        const list = await read(`/api/v1/secrets?fieldSelector=metadata.namespace%3D${namespace}`)
        expect.has(list, { items: [{ metadata: { name: 'a', namespace } }] })
      },
    },
    {
      name: 'Secrets can be selected by type',
      source: `${fields}; k8s.io/kubernetes pkg/registry/core/secret/strategy.go @ v1.36.3`,
      async run({ make, read, expect }) {
        await make('secrets', { metadata: { name: 'a' } })
        await make('secrets', { metadata: { name: 'b' }, type: 'x.example/kind' })
        expect.has(await read('secrets?fieldSelector=type%3Dx.example/kind'), {
          items: [{ metadata: { name: 'b' } }],
        })
      },
    },
    {
      name: 'Pods can be selected by node, phase and service account',
      source: `${fields}; k8s.io/kubernetes pkg/registry/core/pod/strategy.go @ v1.36.3`,
      async run({ make, read, expect }) {
        const containers = [{ name: 'c', image: 'i' }]
        await make('pods', { metadata: { name: 'a' }, spec: { containers } })
        await make('pods', { metadata: { name: 'b' }, spec: { containers, nodeName: 'nowhere' } })
        const found = { items: [{ metadata: { name: 'b' } }] }
        expect.has(await read('pods?fieldSelector=spec.nodeName%3Dnowhere'), found)
        expect.has(await read('pods?fieldSelector=spec.nodeName!%3D,status.phase%3DPending'), found)
      },
    },
    {
      name: 'Namespaces can be selected by phase',
      source: `${fields}; k8s.io/kubernetes pkg/registry/core/namespace/strategy.go @ v1.36.3`,
      async run({ read, namespace, expect }) {
        const list = await read(`namespaces?fieldSelector=status.phase%3DActive,metadata.name%3D${namespace}`)
        expect.has(list, { items: [{ metadata: { name: namespace } }] })
      },
    },
    {
      name: 'Events can be selected by their object',
      source: `${fields}; k8s.io/kubernetes pkg/registry/core/event/strategy.go @ v1.36.3`,
      async run({ make, read, namespace, expect }) {
        const about = (name: string) => ({ kind: 'Pod', name, namespace, apiVersion: 'v1' })
        await make('events', {
          metadata: { name: 'a' },
          involvedObject: about('x'),
          reason: 'Seen',
          type: 'Normal',
        })
        await make('events', {
          metadata: { name: 'b' },
          involvedObject: about('y'),
          reason: 'Seen',
          type: 'Normal',
        })
        const list = await read('events?fieldSelector=involvedObject.name%3Dy,reason%3DSeen')
        expect.has(list, { items: [{ metadata: { name: 'b' } }] })
      },
    },
    refuses(
      'a field that is not selectable is rejected',
      'fieldSelector=data.k%3Dv',
      'field label not supported: data.k',
    ),
    refuses(
      'a field selector with a syntax error is rejected',
      'fieldSelector=metadata.name',
      "invalid selector: 'metadata.name'; can't understand 'metadata.name'",
    ),
  ],
}
