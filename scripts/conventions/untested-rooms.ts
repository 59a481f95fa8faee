import type { SourceFile } from './source-files.js'

/** The rooms of `sdk/` with code and without a test file, for which `npm test -- ROOM` would run nothing. */
export function untestedRooms(files: readonly SourceFile[]): string[] {
  const inSdk = files.filter(({ path }) => /^sdk\/[^/]+\/[^/]+\/.*\.ts$/.test(path))
  const tested = new Set(inSdk.filter(isTest).map(roomOf))
  const rooms = new Set(inSdk.filter((file) => !isTest(file) && hasCode(file)).map(roomOf))
  return [...rooms]
    .filter((room) => !tested.has(room))
    .map((room) => `${room}: no file *.test.ts; test what the room promises`)
}

const isTest = ({ path }: SourceFile) => path.endsWith('.test.ts')
/** Types have no behaviour to test. */
const hasCode = ({ text }: SourceFile) => /^export (?:async |abstract )*(?:const|function|class)/m.test(text)
const roomOf = ({ path }: SourceFile) => path.split('/').slice(0, 3).join('/')
