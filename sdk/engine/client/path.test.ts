// Tests the request paths of objects whose names and namespaces users can choose.
import t from 'tap'
import { configMaps, namespaces } from '../kube/builtin.js'
import { isNotFound } from '../kube/error.js'
import { createPath, objectPath } from './path.js'

function errorOf(call: () => unknown): unknown {
  try {
    return call()
  } catch (error) {
    return error
  }
}

void t.test('a name becomes one part of a path', async (t) => {
  t.equal(
    objectPath(configMaps, { namespace: 'a', name: 'b/../c?watch=1' }),
    '/api/v1/namespaces/a/configmaps/b%2F..%2Fc%3Fwatch%3D1',
  )
})

void t.test('a name that would lead to the path above is not found, and not asked for', async (t) => {
  for (const name of ['.', '..']) {
    const throwsNotFound = (path: () => string) => {
      const error = errorOf(path)
      t.ok(isNotFound(error), String(error))
      t.match(error, /no object can have this name/)
    }
    throwsNotFound(() => objectPath(configMaps, { namespace: 'a', name }))
    throwsNotFound(() => objectPath(configMaps, { namespace: name, name: 'a' }, 'status'))
    throwsNotFound(() => objectPath(namespaces, { namespace: '', name }))
    throwsNotFound(() => createPath(configMaps, { namespace: name, name: 'a' }))
  }
})
