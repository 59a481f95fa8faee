import t from 'tap'
import { isOlderThanDigests } from './recorded-digests.js'

const release = { name: 'hello', namespace: 'default' }
const owner = { key: { namespace: 'default' } }

void t.test(
  'a release is older than digests if only its name and its namespace are in the status',
  async (t) => {
    const isOlder = (status: Record<string, unknown>, at = release) =>
      isOlderThanDigests(status, { release: at, owner })
    const deployedRelease = { ...release, revision: 1 }
    t.equal(isOlder({ deployedRelease }), true)
    t.equal(isOlder({ deployedRelease: { name: 'hello' } }), true, 'as the Go operator SDK writes it')
    t.equal(isOlder({ deployedRelease: { name: 'hello' } }, { ...release, namespace: 'other' }), false)
    t.equal(isOlder({}), false)
    t.equal(isOlder({ deployedRelease: 'hello' }), false)
    t.equal(isOlder({ deployedRelease, revisionDigests: [] }), false)
    t.equal(isOlder({ deployedRelease: { ...deployedRelease, name: 'other' } }), false)
    t.equal(isOlder({ deployedRelease }, { ...release, namespace: 'other' }), false)
  },
)
