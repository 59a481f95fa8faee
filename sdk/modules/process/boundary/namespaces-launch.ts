import type { Launch, LaunchOptions } from './boundary.js'

/** The exit code of the script if it cannot set up the namespaces. */
export const setUpFailedCode = 125

/**
 * Runs as the first process of the new namespaces. It makes a root folder of Node, its libraries and the program, which
 * cannot be written, and starts Node there without any capability.
 */
const setUpScript = `set -e
trap '[ $? -eq 0 ] || exit ${setUpFailedCode}' EXIT
root=$1 file=$2 network=$3 node=$4
shift 3
give() {
  mkdir -p "$root$(dirname "$1")"
  if [ -d "$1" ]; then mkdir -p "$root$1"; else : > "$root$1"; fi
  mount --rbind "$1" "$root$1"
  mount -o remount,bind,ro,nosuid "$root$1"
}
echo 1000 > /proc/self/oom_score_adj || true
mount -t tmpfs -o mode=755,size=1m tmpfs "$root"
for one in /usr /lib /lib64 /bin; do
  if [ -L "$one" ]; then ln -s "$(readlink "$one")" "$root$one"; elif [ -d "$one" ]; then give "$one"; fi
done
case $node in /usr/*) ;; *) give "$node";; esac
if [ "$network" = yes ]; then
  for one in /etc/resolv.conf /etc/hosts /etc/nsswitch.conf /etc/ssl; do [ ! -e "$one" ] || give "$one"; done
fi
give "$file"
mkdir -p "$root/dev" "$root/proc" "$root/old"
for one in null urandom; do : > "$root/dev/$one"; mount --bind "/dev/$one" "$root/dev/$one"; done
mount -t proc -o ro proc "$root/proc" 2> /dev/null || true
mount -o remount,bind,ro "$root"
cd "$root"
pivot_root . old
umount -l old
trap - EXIT
exec env -i setpriv --no-new-privs --bounding-set=-all --inh-caps=-all sh -c "$STAY" sh env -i "$@"
`

/**
 * Runs a command and stays until it has ended, without its connection: the operator must see when Node closes it. Only
 * the first process of a namespace can stay there, and signals of others do not end it; Node, which aborts by one, must
 * therefore be another.
 */
const stayScript = 'exec 4<&0; "$@" <&4 4<&- & exec 0<&- 3>&- 4<&-; wait $!'

const namespaces = ['--user', '--map-root-user', '--pid', '--mount', '--ipc', '--uts', '--cgroup']

/**
 * Node in user, process, mount and network namespaces of its own, by util-linux. Node ends with the operator, also if
 * the operator crashes.
 */
export function namespacesLaunch({ folder, file, node, args, network }: LaunchOptions): Launch {
  const flags = network ? namespaces : [...namespaces, '--net']
  const inside = ['sh', '-c', setUpScript, 'sh', folder, file, network ? 'yes' : 'no', node, ...args]
  const first = ['setpriv', '--pdeathsig', 'KILL', 'env', `STAY=${stayScript}`, ...inside]
  return {
    command: 'setpriv',
    args: ['--pdeathsig', 'KILL', 'unshare', ...flags, '--', 'sh', '-c', stayScript, 'sh', ...first],
  }
}
