// Tests that texts of apiVersions have one reader: two that disagree about a group are a way around permissions.
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import t from 'tap'
import { groupOfApiVersion, isApiVersion, parseApiVersion } from '../sdk/engine/kube/api-version.js'

const reader = 'sdk/engine/kube/api-version.ts'
const other =
  /(?:apiVersion|groupVersion)\b[^\n;]{0,12}\.(?:split|indexOf|lastIndexOf|slice|substring|replace|match)\(/i

void t.test('no other file reads the group of an apiVersion', async (t) => {
  const files: string[] = []
  for (const room of ['sdk', 'cli'])
    for (const file of await readdir(room, { recursive: true }))
      if (/\.ts$/.test(file) && !/\.(test|fixture)\.ts$/.test(file)) files.push(join(room, file))
  t.ok(files.length > 500)
  const texts = await Promise.all(files.map(async (file) => [file, await readFile(file, 'utf8')] as const))
  const own = texts.flatMap(([file, text]) => (other.test(text) && file !== reader ? [file] : []))
  t.strictSame(own, [])
})

void t.test('only a version, or a group and a version, are read', async (t) => {
  t.strictSame(parseApiVersion('v1'), { group: '', version: 'v1' })
  t.strictSame(parseApiVersion('apps/v1'), { group: 'apps', version: 'v1' })
  t.strictSame(parseApiVersion('a.example/v1beta1'), { group: 'a.example', version: 'v1beta1' })
  for (const text of [
    'apps//v1',
    '/v1',
    'v1/',
    'a/b/v1',
    '',
    'apps/V1',
    'apps /v1',
    '../v1',
    'apps/v1\n',
    'apps%2fv1',
  ])
    t.notOk(isApiVersion(text), text)
  t.equal(parseApiVersion(undefined), undefined)
  t.equal(groupOfApiVersion('apps/v1'), 'apps')
  t.not(groupOfApiVersion('apps//v1'), 'apps')
  t.not(groupOfApiVersion('apps//v1'), '')
})
