import t from 'tap'
import { objectsOf } from '../../render/manifest.js'
import type { ReleaseHook } from '../../render/release-hook.js'
import { contentDigest } from './content-digest.js'

const release = { name: 'hello', namespace: 'default' }
const manifest = '---\napiVersion: v1\nkind: ConfigMap\nmetadata: {name: a}\ndata: {text: one}\n'
const hook: ReleaseHook = {
  name: 'bye',
  kind: 'ConfigMap',
  path: 'templates/bye.yaml',
  manifest: 'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: bye}\n',
  events: ['pre-delete'],
}
const digestOf = async (text = manifest, hooks: readonly ReleaseHook[] = [hook], of = release) =>
  contentDigest(of, { objects: await objectsOf(text), hooks })

void t.test('the last run of a hook, comments and the order of members do not matter', async (t) => {
  const digest = await digestOf()
  t.match(digest, /^sha256:[\da-f]{64}$/)
  t.equal(await digestOf(manifest, [{ ...hook, last_run: { phase: 'Succeeded' } }]), digest)
  const other = '---\n# A comment.\nkind: ConfigMap\napiVersion: v1\ndata: {text: one}\nmetadata: {name: a}\n'
  t.equal(await digestOf(other), digest)
})

void t.test('any change of an object or a hook has another digest, and so has another release', async (t) => {
  const digests = await Promise.all([
    digestOf(),
    digestOf(manifest.replace('one', 'two')),
    digestOf(manifest, []),
    digestOf(manifest, [hook, hook]),
    digestOf(manifest, [{ ...hook, events: ['post-delete'] }]),
    digestOf(manifest, [{ ...hook, weight: 1 }]),
    digestOf(manifest, [{ ...hook, delete_policies: ['hook-failed'] }]),
    digestOf(manifest, [{ ...hook, manifest: hook.manifest.replace('bye', 'forged') }]),
    digestOf(manifest, [hook], { ...release, name: 'other' }),
    digestOf(manifest, [hook], { ...release, namespace: 'other' }),
  ])
  t.equal(new Set(digests).size, digests.length)
})
