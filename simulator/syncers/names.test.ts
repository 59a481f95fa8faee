import { readFileSync } from 'node:fs'
import t from 'tap'
import { kindText } from './annotations.js'
import { LabelTranslator } from './labels.js'
import { namespaceLabelPrefix } from './metadata-keys.js'
import { hashedLabelKey, hostNameOf } from './names.js'

interface Vectors {
  hostName: { name: string; namespace: string; vcluster: string; hostName: string }[]
  labelKey: { key: string; vcluster: string; label: string; nsLabel: string }[]
  gvkString: [group: string, version: string, kind: string, text: string][]
}

const vectors: Vectors = JSON.parse(
  readFileSync(new URL('../../test/vectors/vcluster-names.json', import.meta.url), 'utf8'),
)

void t.test('copies have the names of vcluster', async (t) => {
  for (const { vcluster, hostName, ...key } of vectors.hostName)
    t.equal(hostNameOf(key, vcluster), hostName, `${key.name} of ${vcluster}`)
  t.ok(vectors.hostName.some(({ hostName }) => hostName.length === 63))
})

void t.test('label keys are hashed as vcluster hashes them', async (t) => {
  for (const { key, vcluster, label, nsLabel } of vectors.labelKey) {
    t.equal(hashedLabelKey(key, vcluster), label, `${key} of ${vcluster}`)
    t.equal(hashedLabelKey(key, vcluster, namespaceLabelPrefix), nsLabel)
    t.equal(new LabelTranslator(vcluster, '0.19').hostKey(key), label)
  }
})

void t.test(
  'since 0.21 only four label keys are hashed, and the other keys can be translated back',
  async (t) => {
    const hashed = /^(release|vcluster\.loft\.sh\/(namespace|managed-by|controlled-by))$/
    for (const { key, vcluster, label } of vectors.labelKey) {
      const labels = new LabelTranslator(vcluster, '0.36')
      t.equal(labels.hostKey(key), hashed.test(key) ? label : key)
      t.equal(labels.virtualKey(labels.hostKey(key) ?? ''), key)
      if (!hashed.test(key)) continue
      t.equal(labels.hostKey(label), undefined, 'a user label that looks hashed is not copied')
      t.equal(labels.virtualKey(key), undefined, 'a label of vcluster does not become a label of the user')
    }
  },
)

void t.test('kinds are written in the format of Go', async (t) => {
  for (const [group, version, kind, text] of vectors.gvkString)
    t.equal(kindText({ group, version, kind }), text)
})
