import type { Transport } from '../../sdk/engine/transport/transport.js'
import { until } from '../until.js'
import { send } from './client.js'
import { subject } from './subjects.js'

const text = { type: 'string', maxLength: 20 }
const integer = { type: 'integer' }
const joint = {
  type: 'object',
  required: ['name'],
  properties: { name: text, angle: { ...integer, 'x-kubernetes-validations': [{ rule: 'self < 360' }] } },
}

/** A schema with all features, including rules. */
const openAPIV3Schema = {
  type: 'object',
  properties: {
    spec: {
      type: 'object',
      properties: {
        arms: { ...integer, minimum: 0, default: 2 },
        hands: integer,
        model: { ...text, enum: ['a', 'b'] },
        port: { 'x-kubernetes-int-or-string': true },
        joints: {
          type: 'array',
          maxItems: 5,
          items: joint,
          'x-kubernetes-list-type': 'map',
          'x-kubernetes-list-map-keys': ['name'],
        },
        tools: { type: 'array', maxItems: 5, items: text, 'x-kubernetes-list-type': 'set' },
        free: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true },
        maybe: { ...text, nullable: true },
      },
      'x-kubernetes-validations': [
        { rule: '!has(self.hands) || self.hands <= self.arms', message: 'more hands than arms' },
        { rule: 'self.arms >= oldSelf.arms', reason: 'FieldValueForbidden', fieldPath: '.arms' },
        { rule: '!has(self.tools) || !("saw" in self.tools) || self.arms > 1' },
      ],
    },
    status: { type: 'object', properties: { phase: text } },
  },
}

const group = 'differential.example.com'
const definition = {
  apiVersion: 'apiextensions.k8s.io/v1',
  kind: 'CustomResourceDefinition',
  metadata: { name: `robots.${group}` },
  spec: {
    group,
    scope: 'Namespaced',
    names: { plural: 'robots', kind: 'Robot' },
    versions: [
      {
        name: 'v1',
        served: true,
        storage: true,
        subresources: { status: {} },
        schema: { openAPIV3Schema },
        selectableFields: [{ jsonPath: '.spec.model' }],
      },
    ],
  },
}

/** Defines {@link robots} on a server and waits until they are served. */
export async function defineRobots(transport: Transport): Promise<void> {
  const path = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions'
  const made = await send(transport, { method: 'POST', path, body: definition })
  if (made.status !== 201) throw new Error(`cannot define robots: ${JSON.stringify(made.body)}`)
  const areServed = async () => {
    const { status } = await send(transport, { method: 'GET', path: `/apis/${group}/v1/robots` })
    return status === 200
  }
  await until(areServed, { what: 'robots are served' })
}

const spec = (members: object) => ({ spec: members })

/** A custom resource. */
export const robots = subject(`${group}/v1`, 'Robot', {
  base: spec({ arms: 2 }),
  parts: ['status'],
  bodies: {
    whole: spec({ arms: 3, hands: 2, model: 'a', tools: ['saw', 'file'], joints: [{ name: 'a', angle: 1 }] }),
    handy: spec({ arms: 1, hands: 2 }),
    bent: spec({ joints: [{ name: 'a', angle: 400 }] }),
    twin: spec({ joints: [{ name: 'a' }, { name: 'a' }] }),
    twice: spec({ tools: ['saw', 'saw'] }),
    wrong: spec({ arms: 'many' }),
    odd: spec({ model: 'c' }),
    unarmed: spec({ arms: -1 }),
    unknown: spec({ wings: 2, free: { wings: 2 } }),
    painted: spec({ joints: [{ name: 'a', colour: 'red' }] }),
    nulls: spec({ arms: null, model: null, maybe: null }),
    port: spec({ port: '80%' }),
    nameless: spec({ joints: [{ angle: 1 }] }),
  },
  changes: {
    arms: spec({ arms: 4 }),
    disarm: spec({ arms: 1 }),
    hands: spec({ hands: 9 }),
    bend: spec({ joints: [{ name: 'a', angle: 20 }] }),
    overbend: spec({ joints: [{ name: 'b', angle: 720 }] }),
    saw: spec({ tools: ['saw'] }),
    model: spec({ model: 'b' }),
    free: spec({ free: { a: { b: 1 } }, wings: 1 }),
    running: { status: { phase: 'Running', surprise: 1 } },
    badStatus: { status: { phase: 1 } },
  },
})
