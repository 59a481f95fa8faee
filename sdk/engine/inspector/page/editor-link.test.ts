import t from 'tap'
import { editorLink } from './editor-link.js'

void t.test('a frame of an error leads to the line in the editor', async (t) => {
  const vsCode = { editor: 'vscode://file{file}:{line}:{column}', folder: '/home/me/my plugin' }
  for (const [frame, address] of [
    ['sync (src/main.ts:12:3)', 'vscode://file/home/me/my%20plugin/src/main.ts:12:3'],
    ['src/main.ts:12:3', 'vscode://file/home/me/my%20plugin/src/main.ts:12:3'],
    ['reconcile (/other/main.ts:1:2)', 'vscode://file/other/main.ts:1:2'],
    ['no place', undefined],
  ] as const)
    t.equal(editorLink(frame, vsCode), address, frame)
  const idea = { ...vsCode, editor: 'idea://open?file={file}&line={line}' }
  t.equal(editorLink('/a/b.ts:4:5', idea), 'idea://open?file=/a/b.ts&line=4')
})
