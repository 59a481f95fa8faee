import type { Case, CaseGroup } from '../case.js'
import type { CaseClient } from '../case-client.js'
import type { Answer } from '../cluster-under-test.js'
import { define } from '../custom-resource.js'
import { caseResources } from '../resources.js'
import { running, template } from '../samples.js'

const strategies = 'GetResetFields of the strategies in k8s.io/kubernetes pkg/registry @ v1.36.3'
const selector = { matchLabels: { app: 'a' } }

interface Apply {
  /** The subresource; default the object itself. */
  readonly part?: string
  /** Default `a`. */
  readonly name?: string
  /** Further parameters, each with `&` before it. */
  readonly query?: string
  /** The applied fields, without the name. */
  readonly fields: object
}

/** An apply by a manager that no other request uses. */
function applied(
  { patch }: CaseClient,
  resource: string,
  { part = '', name = 'a', query = '', fields }: Apply,
) {
  const { apiVersion, kind } = caseResources[resource] ?? {}
  const path = `${resource}/${name}${part === '' ? '' : `/${part}`}?fieldManager=other${query}`
  return patch(path, 'apply', { apiVersion, kind, metadata: { name }, ...fields })
}

/** The managers that own any field of an object. */
function managersOf({ body }: Answer): unknown[] {
  const entries = body.metadata.managedFields as readonly { readonly manager: string }[] | undefined
  return (entries ?? []).map(({ manager }) => manager)
}

/** The spec in the answer if no field of the apply came into it. */
function unchanged(spec: Record<string, unknown>, applied: object): Record<string, unknown> {
  const absent = Object.keys(applied).filter((field) => !(field in spec))
  return { ...spec, ...Object.fromEntries(absent.map((field) => [field, undefined])) }
}

interface StatusApply {
  readonly resource: string
  readonly spec: object
  /** The spec in the apply, which it cannot change. */
  readonly other: object
}

/**
 * An apply to `/status` with another spec causes no conflict and no change, and owns no field of the spec.
 */
function ignoresSpec({ resource, spec, other }: StatusApply): Case {
  return {
    name: `an apply to the status of ${resource} may have another spec`,
    source: strategies,
    async run(client) {
      const { make, expect, namespace } = client
      const name = caseResources[resource]?.namespaced === true ? 'a' : `a-${namespace}`
      const before = await make(`${resource}?fieldManager=first`, { metadata: { name }, spec })
      const answer = await applied(client, resource, {
        part: 'status',
        name,
        query: '&dryRun=All',
        fields: { spec: other },
      })
      // The node lifecycle controller takes taints away at any time.
      const { taints: _, ...kept } = before.spec as Record<string, unknown>
      expect.answer(answer, 200, { spec: unchanged(kept, other) })
      expect.ok(!managersOf(answer).includes('other'), `the manager "other" owns a field: ${answer.text}`)
      if (name !== 'a') await client.delete(`${resource}/${name}`)
    },
  }
}

/** Metadata that a write to the status does not change. */
function keepsMetadata(resource: string, spec: object, kept: readonly string[]): Case {
  return {
    name: `a write to the status of ${resource} does not change ${kept.join(' and ')}`,
    source: strategies,
    async run(client) {
      const { make, patch, expect, namespace } = client
      const name = caseResources[resource]?.namespaced === true ? 'a' : `a-${namespace}`
      const before = { labels: { app: 'a' }, annotations: { note: 'a' } }
      await make(`${resource}?fieldManager=first`, { metadata: { name, ...before }, spec })
      const metadata = { labels: { app: 'b' }, annotations: { note: 'b' } }
      const wanted = {
        labels: kept.includes('labels') ? 'a' : 'b',
        annotations: kept.includes('annotations') ? 'a' : 'b',
      }
      const merged = await patch(`${resource}/${name}/status?dryRun=All`, 'merge', { metadata })
      const shown = { labels: { app: wanted.labels }, annotations: { note: wanted.annotations } }
      expect.answer(merged, 200, { metadata: shown })
      const query = '&dryRun=All&force=true'
      const forced = await applied(client, resource, {
        part: 'status',
        query,
        fields: { metadata: { name, ...metadata } },
      })
      expect.answer(name === 'a' ? forced : merged, 200, { metadata: shown })
      if (name !== 'a') await client.delete(`${resource}/${name}`)
    },
  }
}

/** Fields that an apply ignores. */
export const applyIgnored: CaseGroup = {
  name: 'apply-ignored',
  cases: [
    ignoresSpec({
      resource: 'deployments',
      spec: { paused: true, replicas: 0, selector, template: running },
      other: { replicas: 3, selector, template: { spec: { containers: [{ name: 'c', image: 'other' }] } } },
    }),
    ignoresSpec({ resource: 'jobs', spec: { suspend: true, template }, other: { suspend: false } }),
    ignoresSpec({
      resource: 'pods',
      spec: { containers: [{ name: 'c', image: 'i' }] },
      other: { containers: [{ name: 'c', image: 'other' }] },
    }),
    ignoresSpec({
      resource: 'services',
      spec: { ports: [{ port: 80 }] },
      other: { type: 'NodePort', ports: [{ port: 81 }] },
    }),
    ignoresSpec({
      resource: 'poddisruptionbudgets',
      spec: { minAvailable: 1, selector },
      other: { minAvailable: 2 },
    }),
    ignoresSpec({ resource: 'nodes', spec: { podCIDR: '10.0.0.0/24' }, other: { unschedulable: true } }),
    keepsMetadata('deployments', { paused: true, replicas: 0, selector, template: running }, ['labels']),
    keepsMetadata('replicasets', { replicas: 0, selector, template: running }, []),
    keepsMetadata(
      'volumeattachments',
      { attacher: 'a', nodeName: 'a', source: { persistentVolumeName: 'a' } },
      ['labels', 'annotations'],
    ),
    {
      name: 'an apply to the status of a custom resource may have another spec',
      source: strategies,
      async run(client) {
        const version = { subresources: { status: {} } }
        const properties = { status: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true } }
        const car = await define(client, { version, properties })
        await car.make('a', { spec: { color: 'red' } })
        const body = { apiVersion: `${car.group}/v1`, kind: 'Car', metadata: { name: 'a' } }
        const answer = await client.patch(`${car.path('a')}/status?fieldManager=other`, 'apply', {
          ...body,
          spec: { color: 'blue' },
          status: { speed: { now: 3 } },
        })
        client.expect.answer(answer, 200, { spec: { color: 'red' }, status: { speed: { now: 3 } } })
      },
    },
    ...['1', 'true', 'TRUE', ''].map((force) => takesOver(force, 200)),
    ...['0', 'false', 'FALSE'].map((force) => takesOver(force, 409)),
  ],
}

/** The result of a conflict for one spelling of `force`. */
function takesOver(force: string, status: number): Case {
  return {
    name: `an apply with force=${force} ${status === 200 ? 'takes over' : 'does not take over'}`,
    source: 'k8s.io/apimachinery pkg/runtime/conversion.go @ v0.36.3',
    async run(client) {
      await client.make('configmaps?fieldManager=first', { metadata: { name: 'a' }, data: { k: 'v' } })
      const answer = await applied(client, 'configmaps', {
        query: `&force=${force}`,
        fields: { data: { k: 'other' } },
      })
      client.expect.answer(answer, status)
    },
  }
}
