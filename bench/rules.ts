// Measures the cost of five validation rules in a create of a custom resource, in process: `npm run
// bench:rules`.

import { createApiServer } from '../apiserver/api-server.js'

const creates = 3_000
const rounds = 5
const measuredRules = [
  'self.replicas <= self.max',
  'self.names.all(n, n.size() > 0 && n.startsWith("n"))',
  'self.rows.exists(r, r.key == "a" && r.value > 0)',
  'self.name.matches("^[a-z][a-z0-9-]*$")',
  '!has(self.port) || (type(self.port) == int ? self.port < 65536 : self.port.endsWith("%"))',
]

const text = { type: 'string', maxLength: 50 }
const integer = { type: 'integer' }
const row = { type: 'object', properties: { key: text, value: integer } }
const properties = {
  name: text,
  replicas: integer,
  max: integer,
  port: { 'x-kubernetes-int-or-string': true },
  names: { type: 'array', maxItems: 20, items: text },
  rows: { type: 'array', maxItems: 20, items: row },
}

const server = await createApiServer()

async function post(path: string, body: object): Promise<void> {
  const headers = { 'content-type': 'application/json' }
  const answer = await server.handle({ method: 'POST', path, headers, body: JSON.stringify(body) })
  if (answer.status !== 201)
    throw new Error(`${path} answered ${answer.status}: ${Buffer.from(answer.body as Uint8Array)}`)
}

async function define(plural: string, rules: readonly string[]): Promise<void> {
  const validations = rules.map((rule) => ({ rule }))
  const spec = { type: 'object', properties, 'x-kubernetes-validations': validations }
  const openAPIV3Schema = { type: 'object', properties: { spec } }
  await post('/apis/apiextensions.k8s.io/v1/customresourcedefinitions', {
    metadata: { name: `${plural}.bench.example.com` },
    spec: {
      group: 'bench.example.com',
      scope: 'Namespaced',
      names: { plural, kind: plural.toUpperCase() },
      versions: [{ name: 'v1', served: true, storage: true, schema: { openAPIV3Schema } }],
    },
  })
}

const spec = {
  name: 'a-name',
  replicas: 2,
  max: 3,
  port: 80,
  names: ['n1', 'n2', 'n3'],
  rows: [
    { key: 'b', value: 0 },
    { key: 'a', value: 1 },
  ],
}

/** Microseconds of one create. */
async function round(plural: string, at: number): Promise<number> {
  const path = `/apis/bench.example.com/v1/namespaces/default/${plural}`
  const kind = plural.toUpperCase()
  const started = performance.now()
  for (let i = 0; i < creates; i++) {
    const metadata = { name: `${plural}-${at}-${i}` }
    await post(path, { apiVersion: 'bench.example.com/v1', kind, metadata, spec })
  }
  return ((performance.now() - started) * 1000) / creates
}

const loading = performance.now()
await define('plain', [])
const defined = performance.now()
await define('ruled', measuredRules)
const compiled = performance.now()
// The server serves a definition shortly after it is created.
await new Promise((resolve) => setTimeout(resolve, 500))

const figures: Record<string, number[]> = { plain: [], ruled: [] }
for (let at = 0; at <= rounds; at++) {
  for (const plural of ['plain', 'ruled']) {
    const cost = await round(plural, at)
    // The first round is the warm-up.
    if (at > 0) figures[plural]?.push(cost)
  }
}
const shown = (costs: readonly number[] = []) => {
  const sorted = [...costs].sort((a, b) => a - b)
  return `${sorted[Math.floor(sorted.length / 2)]?.toFixed(0)} µs (${sorted[0]?.toFixed(0)} to ${sorted.at(-1)?.toFixed(0)})`
}
console.log(`a definition without rules            ${(defined - loading).toFixed(0)} ms`)
console.log(`the first with five, library loaded   ${(compiled - defined).toFixed(0)} ms`)
console.log(`a create without rules                ${shown(figures.plain)}`)
console.log(`a create with five                    ${shown(figures.ruled)}`)
await server.close()
