import { columnDefinitions } from '../../../apiserver/output/columns/definitions.js'
import type { ApiGroup, BuiltInResource } from '../../../apiserver/resources/built-in.js'
import { builtInGroups } from '../../../apiserver/resources/index.js'
import type { Case, CaseGroup } from '../case.js'
import { printers, tableHeaders, tableIn } from '../shows.js'

/** The columns of a kind without its own columns. */
const usual = [
  { name: 'Name', type: 'string', format: 'name', description: /^Name must be unique within a namespace./ },
  { name: 'Created At', type: 'date', format: '', description: /^CreationTimestamp is a timestamp/ },
]

/** The columns of a kind with all their properties, as recorded from a kube-apiserver. */
function expectedOf({ plural, storage }: BuiltInResource, group: string): readonly object[] {
  const recorded = columnDefinitions[storage ?? (group === '' ? plural : `${plural}.${group}`)]
  return recorded?.map((column) => ({ format: '', priority: 0, description: '', ...column })) ?? usual
}

function columnsOf({ group, version, resources }: ApiGroup): Case {
  const root = group === '' ? `/api/${version}` : `/apis/${group}/${version}`
  const listed = resources.filter(({ verbs }) => verbs === undefined || verbs.includes('list'))
  return {
    name: `the columns of ${group || 'core'}/${version}`,
    source: printers,
    async run({ get, expect }) {
      for (const resource of listed) {
        const answer = await get(`${root}/${resource.plural}?limit=1`, { headers: tableHeaders })
        expect.has(tableIn(answer).columnDefinitions, expectedOf(resource, group))
      }
    },
  }
}

/** The columns of `kubectl get` for each built-in kind. */
export const tableColumns: CaseGroup = {
  name: 'table-columns',
  cases: builtInGroups.map(columnsOf),
}
