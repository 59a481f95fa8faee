import t from 'tap'
import { createKeyFilter } from './key-filter.js'

void t.test('a filter takes exact keys and stars, and deny wins', async (t) => {
  const accepts = createKeyFilter({ allow: ['app', 'team-*', '*.io/*b*'], deny: ['*secret*', 'team-x'] })
  const keys = ['app', 'apps', 'team-', 'team-a', 'team-x', 'a.io/b', 'a.io/xby', 'a.io/secretb', 'io/b', '']
  t.strictSame(keys.filter(accepts), ['app', 'team-', 'team-a', 'a.io/b', 'a.io/xby'])
  t.equal(createKeyFilter({ allow: [] })('x'), false)
  t.equal(createKeyFilter({ allow: ['ab*ba'] })('aba'), false, 'no character counts twice')
})
