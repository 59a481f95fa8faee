// Tests the work that large lists cause; results of the validation are conformance cases.
import t from 'tap'
import type { Schema } from '../schema/structural-schema.js'
import { elementCorrelation } from './correlation.js'
import { Findings, invalidField } from './findings.js'
import { validateValue } from './validate-value.js'

const size = 2000
const row: Schema = { type: 'object', properties: { k: { type: 'string' }, v: { type: 'integer' } } }
const rows: Schema = {
  type: 'array',
  items: row,
  'x-kubernetes-list-type': 'map',
  'x-kubernetes-list-map-keys': ['k', 'zone'],
}

void t.test('each text of a finding is read a constant number of times', async (t) => {
  let reads = 0
  const findings = new Findings()
  for (let index = 0; index < size; index++) {
    const { error } = invalidField('spec', index, 'wrong')
    const counted = {
      get text() {
        reads++
        return `spec[${index % 1000}] is wrong`
      },
      error,
    }
    findings.merge(new Findings().add(counted))
  }
  t.equal(findings.all.length, 1000, 'a text is reported once')
  t.ok(reads <= 4 * size, `${reads} reads`)
})

void t.test('an object may have more findings than a call may have arguments', async (t) => {
  const list = Array.from({ length: 200_000 }, (_, index) => ({ k: String(index), v: 'x' }))
  const schema: Schema = { type: 'object', properties: { rows } }
  t.equal(validateValue({ rows: list }, schema).length, list.length)
})

void t.test('the keys of an old element are read a constant number of times', async (t) => {
  let reads = 0
  const old = Array.from({ length: size }, (_, index) => ({
    get k() {
      reads++
      return String(index)
    },
  }))
  const oldOf = elementCorrelation(rows, { value: old })
  const found = old.map((_, index) => oldOf({ k: String(index) })?.value)
  t.ok(found.every((value, index) => value === old[index]))
  t.ok(reads <= 4 * size, `${reads} reads`)
})

void t.test('an old element is found by all of its keys', async (t) => {
  const old = [null, { k: 'a' }, { k: 'a', zone: null }, { k: 'a', zone: 1n }, { k: 'a', v: 2 }]
  const oldOf = elementCorrelation(rows, { value: old })
  t.equal(oldOf({ k: 'a', v: 5 })?.value, old[1], 'the first of several')
  t.equal(oldOf({ zone: null, k: 'a' })?.value, old[2], 'null is not absent')
  t.equal(oldOf({ k: 'a', zone: 1 })?.value, old[3])
  t.equal(oldOf({ k: 'b' }), undefined)
  t.equal(oldOf(null), undefined)
  t.equal(
    elementCorrelation({ ...rows, 'x-kubernetes-list-type': 'set' }, { value: old })({ k: 'a' }),
    undefined,
  )
  t.equal(elementCorrelation(rows, { value: 'a' })({ k: 'a' }), undefined)
})
