import type { Case, CaseGroup } from '../case.js'

const tables = 'API concepts, "Receiving resources as Tables"'
const headers = { accept: 'application/json;as=Table;v=v1;g=meta.k8s.io,application/json' }
const containers = [{ name: 'c', image: 'i' }]
const template = { metadata: { labels: { app: 'a' } }, spec: { containers } }
const selector = { matchLabels: { app: 'a' } }

interface Table {
  columnDefinitions: { name: string; priority: number }[]
  rows: { cells: unknown[]; object: unknown }[]
}

/** The columns of `kubectl get` for one object, with their cells. */
const shows = (resource: string, object: object, columns: string, cells: readonly unknown[]): Case => ({
  name: `the columns of ${resource}`,
  source: `${tables}; k8s.io/kubernetes pkg/printers/internalversion/printers.go @ v1.36.3`,
  async run({ make, get, expect }) {
    await make(resource, { metadata: { name: 'a' }, ...object })
    const answer = await get(`${resource}/a`, { headers })
    expect.answer(answer, 200, { kind: 'Table', apiVersion: 'meta.k8s.io/v1' })
    const table = answer.body as unknown as Table
    const shown = table.columnDefinitions.map(({ name, priority }) => (priority === 0 ? name : `(${name})`))
    expect.same(shown.join(' '), columns)
    expect.has(table.rows, [{ cells }])
  },
})

const age = /^\d+s$/

/** The output of kubectl. */
export const tableOutput: CaseGroup = {
  name: 'table-output',
  cases: [
    shows('configmaps', { data: { k: 'v', l: 'w' } }, 'Name Data Age', ['a', 2, age]),
    shows('secrets', { stringData: { k: 'v' } }, 'Name Type Data Age', ['a', 'Opaque', 1, age]),
    shows('serviceaccounts', {}, 'Name Age', ['a', age]),
    shows(
      'services',
      {
        spec: {
          ports: [{ port: 80 }, { name: 'b', port: 81, protocol: 'UDP' }].map((p) => ({ name: 'a', ...p })),
        },
      },
      'Name Type Cluster-IP External-IP Port(s) Age (Selector)',
      ['a', 'ClusterIP', /^10\./, '<none>', '80/TCP,81/UDP', age, '<none>'],
    ),
    shows(
      'pods',
      { spec: { containers } },
      'Name Ready Status Restarts Age (IP) (Node) (Nominated Node) (Readiness Gates)',
      ['a', '0/1', 'Pending', '0', age, '<none>', '<none>', '<none>', '<none>'],
    ),
    shows(
      'deployments',
      { spec: { replicas: 0, selector, template } },
      'Name Ready Up-to-date Available Age (Containers) (Images) (Selector)',
      ['a', '0/0', 0, 0, age, 'c', 'i', 'app=a'],
    ),
    shows(
      'statefulsets',
      { spec: { replicas: 0, serviceName: 's', selector, template } },
      'Name Ready Age (Containers) (Images)',
      ['a', '0/0', age, 'c', 'i'],
    ),
    shows(
      'replicasets',
      { spec: { replicas: 0, selector, template } },
      'Name Desired Current Ready Age (Containers) (Images) (Selector)',
      ['a', 0, 0, 0, age, 'c', 'i', 'app=a'],
    ),
    shows('leases', { spec: { holderIdentity: 'me' } }, 'Name Holder Age', ['a', 'me', age]),
    shows('networkpolicies', { spec: { podSelector: selector } }, 'Name Pod-Selector Age', [
      'a',
      'app=a',
      age,
    ]),
    shows(
      'ingresses',
      { spec: { defaultBackend: { service: { name: 's', port: { number: 80 } } } } },
      'Name Class Hosts Address Ports Age',
      ['a', '<none>', '*', '', '80', age],
    ),
    shows('roles', {}, 'Name Created At', ['a', /Z$/]),
    shows(
      'persistentvolumeclaims',
      {
        spec: {
          accessModes: ['ReadWriteOnce'],
          storageClassName: 'x',
          resources: { requests: { storage: '1Gi' } },
        },
      },
      'Name Status Volume Capacity Access Modes StorageClass VolumeAttributesClass Age (VolumeMode)',
      ['a', 'Pending', '', '', '', 'x', '<unset>', age, 'Filesystem'],
    ),
    {
      name: 'the columns of namespaces',
      source: tables,
      async run({ get, namespace, expect }) {
        const { body } = await get(`namespaces/${namespace}`, { headers })
        expect.has(body, {
          columnDefinitions: [{ name: 'Name' }, { name: 'Status' }, { name: 'Age' }],
          rows: [{ cells: [namespace, 'Active', /^\d+s$/] }],
        })
      },
    },
    {
      name: 'a list is one table with a row for each object',
      source: tables,
      async run({ make, get, expect }) {
        await make('secrets', { metadata: { name: 'a' } })
        await make('secrets', { metadata: { name: 'b' } })
        const answer = await get('secrets', { headers })
        expect.answer(answer, 200, {
          kind: 'Table',
          metadata: { resourceVersion: /^\d+$/ },
          rows: [{ cells: ['a', 'Opaque', 0, age] }, { cells: ['b', 'Opaque', 0, age] }],
        })
      },
    },
    {
      name: 'a row contains the metadata of its object',
      source: tables,
      async run({ make, get, expect }) {
        const { metadata } = await make('secrets', { metadata: { name: 'a' } })
        const { body } = await get('secrets', { headers })
        expect.has(body, {
          rows: [
            {
              object: {
                kind: 'PartialObjectMetadata',
                apiVersion: 'meta.k8s.io/v1',
                metadata: { uid: metadata.uid },
              },
            },
          ],
        })
      },
    },
    {
      name: 'a row contains the whole object on request, or nothing',
      source: tables,
      async run({ make, get, expect }) {
        await make('secrets', { metadata: { name: 'a' } })
        const whole = await get('secrets?includeObject=Object', { headers })
        expect.has(whole.body, { rows: [{ object: { kind: 'Secret', type: 'Opaque' } }] })
        const none = await get('secrets?includeObject=None', { headers })
        expect.has(none.body, { rows: [{ object: null }] })
      },
    },
    {
      name: 'a column has a type and a description',
      source: tables,
      async run({ get, expect }) {
        const { body } = await get('secrets', { headers })
        const [name] = (body as unknown as Table).columnDefinitions
        expect.has(name, {
          name: 'Name',
          type: 'string',
          format: 'name',
          description: /^Name must be unique/,
          priority: 0,
        })
      },
    },
    {
      name: 'a watch sends tables, and the columns only once',
      source: tables,
      async run({ read, make, watch, expect }) {
        const { metadata } = await read('secrets')
        const events = await watch(`secrets?resourceVersion=${metadata.resourceVersion}`, { headers })
        await make('secrets', { metadata: { name: 'a' } })
        await make('secrets', { metadata: { name: 'b' } })
        const [first, second] = await events.take(2)
        expect.has(first, {
          type: 'ADDED',
          object: { kind: 'Table', rows: [{ cells: ['a', 'Opaque', 0, age] }] },
        })
        expect.ok(Array.isArray(first?.object.columnDefinitions), 'the first event has columns')
        expect.has(second, {
          object: { columnDefinitions: null, rows: [{ cells: ['b', 'Opaque', 0, age] }] },
        })
      },
    },
    {
      name: 'an error is a Status, not a table',
      source: tables,
      async run({ get, expect }) {
        expect.notFound(await get('secrets/missing', { headers }), 'secrets', 'missing')
      },
    },
    {
      name: 'the media type of a table contains its kind',
      source: tables,
      async run({ get, expect }) {
        const answer = await get('secrets', { headers })
        expect.same(answer.headers['content-type'], 'application/json')
      },
    },
  ],
}
