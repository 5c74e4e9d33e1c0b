// Files dragged from another program: an X client of its own that speaks the XDND protocol (version 5,
// https://freedesktop.org/wiki/Specifications/XDND) to the window under the pointer, as a file manager does.
import { connect } from 'node:net';
import { pathToFileURL } from 'node:url';
import { DEADLINE } from './wait.mjs';

/** Requests, replies and events of the X protocol that a drag needs, by their codes. */
const CREATE_WINDOW = 1, INTERN_ATOM = 16, CHANGE_PROPERTY = 18, GET_PROPERTY = 20, SET_SELECTION_OWNER = 22, SEND_EVENT = 25, TRANSLATE_COORDINATES = 40;
const ERROR = 0, REPLY = 1, SELECTION_REQUEST = 30, SELECTION_NOTIFY = 31, CLIENT_MESSAGE = 33;
const INPUT_ONLY = 2, ATOM_TYPE = 4, XDND_VERSION = 5, CURRENT_TIME = 0;

/**
 * Drags files onto a place of the screen and lets them fall there.
 * @param {string} display  e.g. `:99`
 * @param {{ x: number, y: number }} at
 * @param {string[]} paths
 * @param {() => Promise<unknown>} [before]  runs while they are held over the place
 */
export async function dragFromDesktop(display, at, paths, before = async () => undefined) {
  const client = await XClient.connect(display);
  try {
    await drag(client, at, Buffer.from(paths.map((path) => `${pathToFileURL(path).href}\r\n`).join('')), before);
  } finally {
    client.end();
  }
}

/**
 * @param {XClient} client
 * @param {{ x: number, y: number }} at
 * @param {Buffer} list  as text/uri-list
 * @param {() => Promise<unknown>} before
 */
async function drag(client, at, list, before) {
  const names = /** @type {const} */ (['XdndAware', 'XdndEnter', 'XdndPosition', 'XdndStatus', 'XdndDrop', 'XdndFinished', 'XdndSelection', 'XdndActionCopy', 'TARGETS', 'text/uri-list']);
  const atoms = /** @type {Record<(typeof names)[number], number>} */ (Object.fromEntries(await Promise.all(names.map(async (name) => [name, await client.atom(name)]))));
  const target = await windowAt(client, at, atoms.XdndAware);
  const source = client.createWindow();
  client.send(SET_SELECTION_OWNER, 0, source, atoms.XdndSelection, CURRENT_TIME);
  client.onSelectionRequest = ({ time, requestor, selection, target: type, property }) => {
    const isList = type === atoms['text/uri-list'];
    if (isList) client.changeProperty(requestor, property, type, 8, list);
    else if (type === atoms.TARGETS) client.changeProperty(requestor, property, ATOM_TYPE, 32, words(atoms['text/uri-list']));
    const known = isList || type === atoms.TARGETS;
    client.sendEvent(requestor, Buffer.concat([Buffer.from([SELECTION_NOTIFY, 0, 0, 0]), words(time, requestor, selection, type, known ? property : 0), Buffer.alloc(8)]));
  };
  const tell = (/** @type {number} */ type, /** @type {[number, number, number, number]} */ data) => {
    client.sendEvent(target, Buffer.concat([Buffer.from([CLIENT_MESSAGE, 32, 0, 0]), words(target, type, source, ...data)]));
  };
  tell(atoms.XdndEnter, [XDND_VERSION << 24, atoms['text/uri-list'], 0, 0]);
  // A target may ask for the data before it accepts; a hand that drags doesn't stand still meanwhile.
  const deadline = Date.now() + DEADLINE;
  for (let accepted = false; !accepted; ) {
    if (Date.now() > deadline) throw new Error('the window doesn’t accept what is dragged');
    const status = client.message(atoms.XdndStatus);
    tell(atoms.XdndPosition, [0, (at.x << 16) | at.y, CURRENT_TIME, atoms.XdndActionCopy]);
    accepted = ((await status).readUInt32LE(4) & 1) === 1;
  }
  await before();
  const finished = client.message(atoms.XdndFinished);
  tell(atoms.XdndDrop, [0, CURRENT_TIME, 0, 0]);
  await finished;
}

/**
 * The window under a place of the screen that takes drags: the outermost one.
 * @param {XClient} client
 * @param {{ x: number, y: number }} at
 * @param {number} aware
 */
async function windowAt(client, at, aware) {
  let window = client.root;
  for (;;) {
    if ((await client.request(GET_PROPERTY, 0, window, aware, 0, 0, 1)).readUInt32LE(8) !== 0) return window;
    const reply = await client.request(TRANSLATE_COORDINATES, 0, client.root, window, (at.x & 0xffff) | (at.y << 16));
    const child = reply.readUInt32LE(8);
    if (child === 0) throw new Error(`no window at ${at.x},${at.y} takes drags`);
    window = child;
  }
}

/** @param {number[]} values */
function words(...values) {
  const bytes = Buffer.alloc(values.length * 4);
  values.forEach((value, index) => bytes.writeUInt32LE(value >>> 0, index * 4));
  return bytes;
}

const padded = (/** @type {Buffer} */ bytes) => Buffer.concat([bytes, Buffer.alloc((4 - (bytes.length % 4)) % 4)]);

/** A connection to the X server. Answers come in the order of the requests. */
class XClient {
  /** @param {import('node:net').Socket} socket */
  constructor(socket) {
    this.socket = socket;
    this.root = 0;
    this.nextId = 0;
    this.read = Buffer.alloc(0);
    /** @type {{ resolve: (reply: Buffer) => void, reject: (error: Error) => void }[]} */
    this.waiting = [];
    /** @type {{ type: number, resolve: (data: Buffer) => void, reject: (error: Error) => void }[]} */
    this.messages = [];
    /** @type {(request: { time: number, requestor: number, selection: number, target: number, property: number }) => void} */
    this.onSelectionRequest = () => undefined;
  }

  /** @param {string} display */
  static async connect(display) {
    const socket = connect(`/tmp/.X11-unix/X${display.replace(/^:(\d+).*$/, '$1')}`);
    const client = new XClient(socket);
    const setUp = new Promise((/** @type {(setup: Buffer) => void} */ resolve, reject) => {
      socket.once('error', reject);
      const take = (/** @type {Buffer} */ data) => {
        client.read = Buffer.concat([client.read, data]);
        const size = client.read.length < 8 ? Infinity : 8 + client.read.readUInt16LE(6) * 4;
        if (client.read.length < size) return;
        socket.off('data', take);
        const setup = client.read.subarray(0, size);
        client.read = client.read.subarray(size);
        if (setup[0] === 1) resolve(setup);
        else reject(new Error(`the X server refused: ${setup.subarray(8).toString()}`));
      };
      socket.on('data', take);
      socket.write(Buffer.from([0x6c, 0, 11, 0, 0, 0, 0, 0, 0, 0, 0, 0]));
    });
    const setup = await setUp;
    const vendor = setup.readUInt16LE(24);
    client.nextId = setup.readUInt32LE(12);
    client.root = setup.readUInt32LE(40 + Math.ceil(vendor / 4) * 4 + setup[29] * 8);
    socket.on('data', (data) => client.take(data));
    socket.on('error', (error) => client.fail(error));
    socket.on('close', () => client.fail(new Error('the X server closed the connection')));
    return client;
  }

  end() {
    this.waiting = [];
    this.messages = [];
    this.socket.destroy();
  }

  /** @param {Error} error */
  fail(error) {
    for (const one of [...this.waiting, ...this.messages]) one.reject(error);
    [this.waiting, this.messages] = [[], []];
  }

  /** @param {Buffer} data */
  take(data) {
    this.read = Buffer.concat([this.read, data]);
    while (this.read.length >= 32) {
      const size = this.read[0] === REPLY ? 32 + this.read.readUInt32LE(4) * 4 : 32;
      if (this.read.length < size) return;
      const packet = this.read.subarray(0, size);
      this.read = this.read.subarray(size);
      this.handle(packet);
    }
  }

  /** @param {Buffer} packet */
  handle(packet) {
    const code = packet[0] & 0x7f;
    if (code === REPLY) this.waiting.shift()?.resolve(packet);
    else if (code === ERROR) this.fail(new Error(`the X server refused request ${packet[10]} with error ${packet[1]}`));
    else if (code === SELECTION_REQUEST) {
      const [time, , requestor, selection, target, property] = [4, 8, 12, 16, 20, 24].map((offset) => packet.readUInt32LE(offset));
      this.onSelectionRequest({ time, requestor, selection, target, property });
    } else if (code === CLIENT_MESSAGE) {
      const type = packet.readUInt32LE(8);
      const found = this.messages.filter((one) => one.type === type);
      this.messages = this.messages.filter((one) => one.type !== type);
      for (const one of found) one.resolve(packet.subarray(12));
    }
  }

  /** The data of the next message of a type. @param {number} type @returns {Promise<Buffer>} */
  message(type) {
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => reject(new Error('the window doesn’t answer the drag')), DEADLINE);
      const done = (/** @type {() => void} */ then) => () => (clearTimeout(timer), then());
      this.messages.push({ type, resolve: (data) => done(() => resolve(data))(), reject: (error) => done(() => reject(error))() });
    });
  }

  /** @param {number} code @param {number} detail @param {number[]} values */
  send(code, detail, ...values) {
    this.write(code, detail, words(...values));
  }

  /** @param {number} code @param {number} detail @param {Buffer} body */
  write(code, detail, body) {
    const head = Buffer.from([code, detail, 0, 0]);
    head.writeUInt16LE(1 + body.length / 4, 2);
    this.socket.write(Buffer.concat([head, body]));
  }

  /** @param {number} code @param {number} detail @param {number[]} values @returns {Promise<Buffer>} */
  request(code, detail, ...values) {
    return this.ask(code, detail, words(...values));
  }

  /** @param {number} code @param {number} detail @param {Buffer} body @returns {Promise<Buffer>} */
  ask(code, detail, body) {
    return new Promise((resolve, reject) => {
      this.waiting.push({ resolve, reject });
      this.write(code, detail, body);
    });
  }

  /** @param {string} name */
  async atom(name) {
    const reply = await this.ask(INTERN_ATOM, 0, Buffer.concat([words(name.length), padded(Buffer.from(name))]));
    return reply.readUInt32LE(8);
  }

  /** A window that is never shown: it only owns the selection. */
  createWindow() {
    const id = this.nextId++;
    this.send(CREATE_WINDOW, 0, id, this.root, 0, 1 | (1 << 16), INPUT_ONLY << 16, 0, 0);
    return id;
  }

  /** @param {number} window @param {number} property @param {number} type @param {8 | 32} format @param {Buffer} data */
  changeProperty(window, property, type, format, data) {
    this.write(CHANGE_PROPERTY, 0, Buffer.concat([words(window, property, type, format, (data.length * 8) / format), padded(data)]));
  }

  /** @param {number} window @param {Buffer} event */
  sendEvent(window, event) {
    this.write(SEND_EVENT, 0, Buffer.concat([words(window, 0), event]));
  }
}
