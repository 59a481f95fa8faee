import t from 'tap'
import type { ConfigMap } from '../kube/builtin.js'
import { formatKey, type Key } from '../kube/key.js'
import { type LogFields, silentLogger } from '../observe/logger.js'
import type { Change } from '../store/store.js'
import { keysOfChange, withoutWriter } from './keys-of-change.js'

const key = (name: string): Key => ({ namespace: 'default', name })
const names = (keys: readonly Key[]) => keys.map(formatKey)
const settings = (refs: string): ConfigMap => ({
  metadata: { ...key('settings'), annotations: { refs } },
})
const change = (object: ConfigMap, previous?: ConfigMap): Change<ConfigMap> => ({
  key: key('settings'),
  object,
  gone: false,
  ...(previous && { previous }),
})

function mapping() {
  const lines: string[] = []
  const log = (fields: LogFields, message: string) => {
    lines.push(`${message} ${fields.object}`)
  }
  const keysOf = ({ metadata }: ConfigMap) => {
    const refs = metadata.annotations?.refs ?? ''
    if (refs === 'broken') throw new Error('cannot read the references')
    return refs.split(',').map(key)
  }
  return { logger: { ...silentLogger, warn: log, error: log }, keysOf, lines }
}

void t.test('a change triggers the keys of both states, each once', (t) => {
  const keys = keysOfChange(change(settings('a,b'), settings('b,c')), mapping())
  t.same(names(keys), ['default/a', 'default/b', 'default/c'])
  t.same(names(keysOfChange(change(settings('a,a')), mapping())), ['default/a'])
  t.end()
})

void t.test('a mapping that fails is logged, and the other state still counts', (t) => {
  const { lines, ...broken } = mapping()
  t.same(names(keysOfChange(change(settings('broken'), settings('a')), broken)), ['default/a'])
  t.same(lines, ['mapping an object to keys failed default/settings'])
  t.end()
})

void t.test('a mapping to very many keys is logged', (t) => {
  const { lines, ...wide } = mapping()
  const many = Array.from({ length: 1001 }, (_, at) => `k${at}`).join(',')
  t.equal(keysOfChange(change(settings(many)), wide).length, 1001)
  t.same(lines, ['an object maps to very many keys default/settings'])
  t.end()
})

void t.test('the key whose run wrote the change is left out, for its own controller only', (t) => {
  const written = { ...change(settings('a')), writtenBy: { controller: 'mine', key: key('a') } }
  t.same(names(withoutWriter('mine', written, [key('a'), key('b')])), ['default/b'])
  t.same(names(withoutWriter('other', written, [key('a')])), ['default/a'])
  t.end()
})
