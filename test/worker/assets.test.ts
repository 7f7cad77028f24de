import { expect, test, vi } from "vitest";
import * as z from "zod";
import { assetResponse } from "../../src/assets/assets.schema.ts";
import { openBuckets } from "../../src/assets/storage.ts";
import { sweepAssets } from "../../src/assets/sweep.ts";
import { signUploadPath } from "../../src/assets/upload-url.ts";
import { DAY_MS, HOUR_MS } from "../../src/core/time.ts";
import { openDatabase } from "../../src/db/database.ts";
import { deletedResponse } from "../../src/http/fields.ts";
import { PLANS } from "../../src/tenant/plans.ts";
import { MEBIBYTE_BYTES } from "../../src/tenant/usage.ts";
import { usageResponse } from "../../src/workspace/workspace.schema.ts";
import {
  createConfirmedAsset,
  createPublishedAsset,
  fetchFile,
  presignAsset,
  TEXT,
  uploadFile,
} from "../support/assets.ts";
import {
  expectData,
  expectError,
  newWorkspace,
  send,
  type TestWorkspace,
  workerEnv,
} from "../support/harness.ts";

const LARGEST_BYTES = 100_000_000;
const files = openBuckets(workerEnv);

async function readStorageBytes(workspace: TestWorkspace): Promise<number> {
  const usage = await workspace.call("GET", "/v1/workspace/usage");
  return (await expectData(usage, usageResponse)).data.usage.storage_bytes;
}

async function getAsset(workspace: TestWorkspace, id: string) {
  return (await expectData(await workspace.call("GET", `/v1/assets/${id}`), assetResponse)).data;
}

/** Returns a body without a declared length. */
function createStream(chunks: readonly string[]): ReadableStream<Uint8Array> {
  return new ReadableStream({
    start(controller) {
      for (const chunk of chunks) controller.enqueue(new TextEncoder().encode(chunk));
      controller.close();
    },
  });
}

/** Returns the keys of an asset's files in both buckets. */
async function listFileKeys(workspace: TestWorkspace, id: string): Promise<string[]> {
  const [uploaded, published] = await Promise.all([
    files.private.list({ prefix: `${workspace.id}/${id}` }),
    files.public.list({ prefix: id }),
  ]);
  return [...uploaded.objects, ...published.objects].map(({ key }) => key);
}

test("an asset is presigned, uploaded, confirmed, published, read and deleted", async () => {
  const workspace = await newWorkspace();
  const asset = await presignAsset(workspace, TEXT, { tags: ["a", " a ", "b"] });
  expect(asset).toMatchObject({ status: "pending", is_public: false, public_url: null, tags: ["a", "b"] });
  expect(asset.upload.url).toMatch(/^http:\/\/localhost:8787\/uploads\//);
  const endMs = Date.parse(asset.created_at) + 900_000;
  expect(Date.parse(asset.upload.expires_at)).toBe(endMs - (endMs % 1_000));

  const uploaded = await uploadFile(asset.upload);
  expect(uploaded.status).toBe(200);
  expect(uploaded.headers.get("X-Request-Id")).toMatch(/^[0-9a-f-]{36}$/);
  expect(uploaded.headers.get("Access-Control-Allow-Origin")).toBe("*");

  const confirmed = await workspace.call("POST", `/v1/assets/${asset.id}/confirm`);
  expect((await expectData(confirmed, assetResponse)).data).toMatchObject({
    status: "confirmed",
    is_public: false,
  });

  const published = await workspace.call("POST", `/v1/assets/${asset.id}/publish`);
  const { data } = await expectData(published, assetResponse);
  expect(data).toMatchObject({
    is_public: true,
    public_url: `http://cdn.localhost:8787/${asset.id}/notes.txt`,
  });
  const file = await fetchFile(data.public_url as string);
  expect([file.headers.get("Content-Type"), await file.text()]).toEqual(["text/plain", "a file of a test"]);
  expect(await getAsset(workspace, asset.id)).toEqual(data);

  const deleted = await workspace.call("DELETE", `/v1/assets/${asset.id}`);
  expect((await expectData(deleted, deletedResponse)).data).toEqual({ id: asset.id, deleted: true });
  expect((await fetchFile(data.public_url as string)).status).toBe(404);
  expect(await listFileKeys(workspace, asset.id)).toEqual([]);
  expect(await readStorageBytes(workspace)).toBe(0);
  await expectError(await workspace.call("GET", `/v1/assets/${asset.id}`), 404, "RESOURCE_NOT_FOUND");
});

test("both confirm paths confirm an asset, and a second confirm or publish has no effect", async () => {
  const workspace = await newWorkspace();
  const asset = await presignAsset(workspace, TEXT, { filename: "prices #1.txt" });
  await uploadFile(asset.upload);
  const first = await workspace.call("POST", `/v1/assets/presign/${asset.id}/confirm`);
  const confirmed = (await expectData(first, assetResponse)).data;
  // Repeated calls do not need the file.
  const env = { ...workerEnv, PRIVATE_FILES: {}, PUBLIC_FILES: {} } as Env;
  const again = await workspace.call("POST", `/v1/assets/${asset.id}/confirm`, { env });
  expect((await expectData(again, assetResponse)).data).toEqual(confirmed);

  const published = await workspace.call("POST", `/v1/assets/${asset.id}/publish`);
  const { data } = await expectData(published, assetResponse);
  expect(data.public_url).toBe(`http://cdn.localhost:8787/${asset.id}/prices%20%231.txt`);
  for (const action of ["publish", "confirm"]) {
    const repeated = await workspace.call("POST", `/v1/assets/${asset.id}/${action}`, { env });
    expect((await expectData(repeated, assetResponse)).data).toEqual(data);
  }
});

test("parallel publish requests for one asset all succeed", async () => {
  const workspace = await newWorkspace();
  const { id } = await createConfirmedAsset(workspace);
  const publish = () => workspace.call("POST", `/v1/assets/${id}/publish`);
  const responses = await Promise.all([publish(), publish(), publish()]);
  expect(responses.map(({ status }) => status)).toEqual([200, 200, 200]);
  expect(await listFileKeys(workspace, id)).toHaveLength(2);
});

test("GET /v1/assets returns pages from newest to oldest, without pagination fields in meta", async () => {
  const workspace = await newWorkspace();
  const ids = [];
  for (let i = 0; i < 3; i++) ids.unshift((await presignAsset(workspace)).id);
  const list = async (query: string) =>
    expectData(await workspace.call("GET", `/v1/assets${query}`), z.array(assetResponse));
  const { data, meta } = await list("");
  expect(data.map(({ id }) => id)).toEqual(ids);
  expect(meta).toEqual({ request_id: meta.request_id, rate_limit: meta.rate_limit });
  expect((await list("?limit=1&offset=1")).data.map(({ id }) => id)).toEqual([ids[1]]);
});

test.each([
  ["filename", "../../etc/passwd"],
  ["filename", "..\\boot.ini"],
  ["filename", ".."],
  ["filename", "   "],
  ["filename", ""],
  ["filename", "a\r\nSet-Cookie: b"],
  ["filename", "a\u0001b"],
  ["filename", "gpj.\u202eexe"],
  ["filename", "x".repeat(256)],
  ["filename", 7],
  ["mime_type", "png"],
  ["mime_type", "image/*"],
  ["mime_type", "text/plain\r\nX: y"],
  ["mime_type", "text/html, text/plain"],
  ["mime_type", ""],
  ["file_size", 0],
  ["file_size", -1],
  ["file_size", 1.5],
  ["file_size", "16"],
  ["file_size", LARGEST_BYTES + 1],
  [
    "tags",
    Array(21)
      .fill("x")
      .map((tag, i) => tag + i),
  ],
  ["tags", "x"],
])("POST /v1/assets/presign rejects an invalid %s: %j", async (field, value) => {
  const workspace = await newWorkspace();
  const body = { filename: "a.txt", mime_type: "text/plain", file_size: 1, [field]: value };
  const error = await expectError(
    await workspace.call("POST", "/v1/assets/presign", { body }),
    400,
    "VALIDATION_ERROR",
  );
  expect(error.message).toMatch(new RegExp(`^${field}: `));
});

test("POST /v1/assets/presign reports the maximum file size in bytes and MiB", async () => {
  const body = { filename: "big.bin", mime_type: "application/octet-stream", file_size: LARGEST_BYTES + 1 };
  const response = await (await newWorkspace()).call("POST", "/v1/assets/presign", { body });
  const { message } = await expectError(response, 400, "VALIDATION_ERROR");
  expect(message).toBe("file_size: must be at most 100000000 (95.4 MiB)");
});

test("parallel presign requests stop exactly at the storage cap, and a deletion releases storage", async () => {
  const workspace = await newWorkspace("enterprise");
  const cap = PLANS.enterprise.storageMb * MEBIBYTE_BYTES;
  const used = cap - 5 * LARGEST_BYTES - TEXT.byteLength;
  await workspace.shard
    .prepare(
      "INSERT INTO usage_counters (workspace_id, resource, cycle, used, cap) VALUES (?, 'storage_bytes', '', ?, ?)",
    )
    .bind(workspace.id, used, cap)
    .run();
  const body = { filename: "big.bin", mime_type: "application/octet-stream", file_size: LARGEST_BYTES };
  const responses = await Promise.all(
    Array.from({ length: 16 }, () => workspace.call("POST", "/v1/assets/presign", { body })),
  );
  expect(responses.filter(({ status }) => status === 201)).toHaveLength(5);
  for (const rejected of responses.filter(({ status }) => status !== 201)) {
    await expectError(rejected, 403, "PLAN_LIMIT_EXCEEDED");
  }

  const last = await presignAsset(workspace);
  expect(await readStorageBytes(workspace)).toBe(cap);
  const one = { ...body, file_size: 1 };
  const past = await workspace.call("POST", "/v1/assets/presign", { body: one });
  expect((await expectError(past, 403, "PLAN_LIMIT_EXCEEDED")).message).toBe(
    "The enterprise plan allows 100 GiB of storage.",
  );
  const deletions = await Promise.all([0, 1].map(() => workspace.call("DELETE", `/v1/assets/${last.id}`)));
  expect(deletions.map(({ status }) => status).toSorted()).toEqual([200, 404]);
  expect(await readStorageBytes(workspace)).toBe(cap - TEXT.byteLength);
});

test("only one of several parallel uploads is stored, and later uploads are rejected with 409", async () => {
  const workspace = await newWorkspace();
  const { id, upload } = await presignAsset(workspace);
  const bodies = ["first bytes here", "second bytes 123", "third bytes 4567"];
  const responses = await Promise.all(bodies.map((body) => uploadFile(upload, body)));
  expect(responses.map(({ status }) => status).toSorted()).toEqual([200, 409, 409]);
  const winner = responses.findIndex(({ status }) => status === 200);
  for (const lost of responses.filter(({ status }) => status === 409)) {
    await expectError(lost, 409, "ASSET_ALREADY_UPLOADED");
  }

  await expectData(await workspace.call("POST", `/v1/assets/${id}/confirm`), assetResponse);
  await expectError(await uploadFile(upload, "replaced bytes !"), 409, "ASSET_ALREADY_UPLOADED");
  const published = await workspace.call("POST", `/v1/assets/${id}/publish`);
  const url = (await expectData(published, assetResponse)).data.public_url as string;
  expect(await (await fetchFile(url)).text()).toBe(bodies[winner]);
});

test("an upload with a wrong length stores nothing, and a correct upload still succeeds", async () => {
  const workspace = await newWorkspace();
  const { id, upload } = await presignAsset(workspace);
  const uploadStream = (...chunks: string[]) => uploadFile(upload, createStream(chunks));
  const uploadDeclaring = (bytes: number, body: string) =>
    uploadFile(upload, body, { ...upload.headers, "Content-Length": String(bytes) });

  await expectError(await uploadDeclaring(15, "a".repeat(15)), 400, "VALIDATION_ERROR");
  await expectError(await uploadDeclaring(17, "a".repeat(17)), 413, "PAYLOAD_TOO_LARGE");
  await expectError(await uploadStream("a".repeat(8), "a".repeat(7)), 400, "VALIDATION_ERROR");
  await expectError(await uploadStream("a".repeat(17)), 413, "PAYLOAD_TOO_LARGE");
  // The excess bytes arrive after the complete file.
  await expectError(await uploadStream("a".repeat(8), "a".repeat(8), "a"), 413, "PAYLOAD_TOO_LARGE");
  await expectError(await uploadFile(upload, ""), 400, "VALIDATION_ERROR");
  const bare = new Request(upload.url, { method: "PUT", headers: upload.headers });
  await expectError(await send(bare), 400, "VALIDATION_ERROR");

  expect(await listFileKeys(workspace, id)).toEqual([]);
  await expectError(await workspace.call("POST", `/v1/assets/${id}/confirm`), 409, "ASSET_NOT_UPLOADED");
  expect((await uploadStream("a".repeat(8), "a".repeat(8))).status).toBe(200);
});

test("an interrupted upload stores nothing", async () => {
  const workspace = await newWorkspace();
  const { id, upload } = await presignAsset(workspace);
  let sent = 0;
  vi.spyOn(console, "error").mockReturnValue();
  const body = new ReadableStream({
    pull(controller) {
      if (sent++ < 2) controller.enqueue(TEXT.subarray(0, 4));
      else controller.error(new Error("the connection was lost"));
    },
  });
  await uploadFile(upload, body, { ...upload.headers, "Content-Length": "16" }).catch(() => null);
  expect(await listFileKeys(workspace, id)).toEqual([]);
  expect((await uploadFile(upload)).status).toBe(200);
});

test("an upload URL with any change is rejected with INVALID_UPLOAD_URL", async () => {
  const workspace = await newWorkspace();
  const { upload } = await presignAsset(workspace);
  const other = await presignAsset(workspace);
  const buildChangedUpload = (change: (url: URL) => void) => {
    const url = new URL(upload.url);
    change(url);
    return { ...upload, url: url.href };
  };
  const attempts = [
    buildChangedUpload(({ searchParams }) => searchParams.set("size", "17")),
    buildChangedUpload(({ searchParams }) => searchParams.set("type", "text/html")),
    buildChangedUpload(({ searchParams }) => searchParams.set("expires", "9999999999")),
    buildChangedUpload(({ searchParams }) => searchParams.set("signature", "0".repeat(64))),
    buildChangedUpload(({ searchParams }) => searchParams.set("signature", "é")),
    buildChangedUpload(({ searchParams }) => searchParams.delete("signature")),
    buildChangedUpload(({ searchParams }) => searchParams.append("size", "17")),
    buildChangedUpload(({ searchParams }) => searchParams.set("size", " 16.0")),
    buildChangedUpload(({ searchParams }) => searchParams.set("expires", `${searchParams.get("expires")}e0`)),
    buildChangedUpload(({ searchParams }) => searchParams.append("x", "1")),
    buildChangedUpload((url) => {
      url.search = "";
    }),
    buildChangedUpload((url) => {
      url.pathname = new URL(other.upload.url).pathname;
    }),
  ];
  for (const attempt of attempts) await expectError(await uploadFile(attempt), 403, "INVALID_UPLOAD_URL");
  expect((await uploadFile(upload)).status).toBe(200);
});

test("an expired upload URL is rejected with EXPIRED_UPLOAD_URL", async () => {
  const workspace = await newWorkspace();
  const { id, upload } = await presignAsset(workspace);
  const path = await signUploadPath(workerEnv.UPLOAD_SECRET, {
    workspaceId: workspace.id,
    assetId: id,
    fileSize: 16,
    mimeType: "text/plain",
    expiresAtSeconds: Math.floor(Date.now() / 1_000) - 1,
  });
  const late = { ...upload, url: `http://localhost:8787${path}` };
  await expectError(await uploadFile(late), 403, "EXPIRED_UPLOAD_URL");
});

test("an upload with another Content-Type or method is rejected", async () => {
  const workspace = await newWorkspace();
  const { upload } = await presignAsset(workspace, TEXT, { mime_type: "Text/Plain;Charset=utf-8" });
  expect(upload.headers).toEqual({ "Content-Type": "text/plain; charset=utf-8" });
  for (const type of ["text/html", "text/plain", "text/plain; charset=latin1", ""]) {
    await expectError(
      await uploadFile(upload, TEXT, { "Content-Type": type }),
      415,
      "UNSUPPORTED_MEDIA_TYPE",
    );
  }
  for (const method of ["POST", "GET", "DELETE"]) {
    const response = await send(new Request(upload.url, { method }));
    await expectError(response, 405, "METHOD_NOT_ALLOWED");
    expect(response.headers.get("Allow")).toBe("PUT");
  }
  expect((await uploadFile(upload, TEXT, { "Content-Type": "text/plain;charset=utf-8" })).status).toBe(200);
});

test("an upload URL allows cross-origin uploads (CORS)", async () => {
  const workspace = await newWorkspace();
  const { upload } = await presignAsset(workspace);
  const headers = {
    Origin: "https://app.example",
    "Access-Control-Request-Method": "PUT",
    "Access-Control-Request-Headers": "content-type",
  };
  const preflight = await send(new Request(upload.url, { method: "OPTIONS", headers }));
  expect(preflight.status).toBe(204);
  expect(preflight.headers.get("Access-Control-Allow-Methods")).toContain("PUT");
  expect(preflight.headers.get("Access-Control-Allow-Headers")).toMatch(/content-type/i);
});

test("presign and upload return 500 without an UPLOAD_SECRET of at least 32 characters", async () => {
  const workspace = await newWorkspace();
  const { upload } = await presignAsset(workspace);
  const log = vi.spyOn(console, "error").mockReturnValue();
  for (const UPLOAD_SECRET of [undefined as unknown as string, "", "x".repeat(31)]) {
    const env = { ...workerEnv, UPLOAD_SECRET };
    const body = { filename: "a.txt", mime_type: "text/plain", file_size: 1 };
    await expectError(
      await workspace.call("POST", "/v1/assets/presign", { body, env }),
      500,
      "INTERNAL_ERROR",
    );
    const request = new Request(upload.url, { method: "PUT", headers: upload.headers, body: TEXT });
    await expectError(await send(request, env), 500, "INTERNAL_ERROR");
  }
  expect(String(log.mock.lastCall?.[0])).toContain("UPLOAD_SECRET must be set");
  expect(await readStorageBytes(workspace)).toBe(TEXT.byteLength);
});

test("confirm requires an upload, and publish requires a confirmed upload", async () => {
  const workspace = await newWorkspace();
  const { id, upload } = await presignAsset(workspace);
  const act = (action: string) => workspace.call("POST", `/v1/assets/${id}/${action}`);
  await expectError(await act("confirm"), 409, "ASSET_NOT_UPLOADED");
  await expectError(await act("publish"), 409, "ASSET_NOT_CONFIRMED");
  await uploadFile(upload);
  await expectError(await act("publish"), 409, "ASSET_NOT_CONFIRMED");
  expect(await getAsset(workspace, id)).toMatchObject({ status: "pending", is_public: false });
});

test("publish only publishes the file that was confirmed", async () => {
  const workspace = await newWorkspace();
  const { id } = await createConfirmedAsset(workspace);
  await files.private.put(`${workspace.id}/${id}`, "another file ...");
  const log = vi.spyOn(console, "error").mockReturnValue();
  const refused = await workspace.call("POST", `/v1/assets/${id}/publish`);
  await expectError(refused, 500, "INTERNAL_ERROR");
  expect(String(log.mock.lastCall?.[0])).toContain(`the confirmed file of asset ${id} is missing`);
  expect(await files.public.list({ prefix: id })).toMatchObject({ objects: [] });
});

test("an asset id that is malformed, unknown or from another workspace returns the same 404 everywhere", async () => {
  const [owner, stranger] = [await newWorkspace(), await newWorkspace()];
  const { id } = await createConfirmedAsset(owner);
  for (const name of [id, "019aa5a8-5d2c-7c3b-9f6e-2b8f3c1d4e5f", "presign", "..%2f", "%00"]) {
    const calls = [
      ["POST", `/v1/assets/${name}/confirm`],
      ["POST", `/v1/assets/presign/${name}/confirm`],
      ["POST", `/v1/assets/${name}/publish`],
      ...(name === "presign"
        ? []
        : [
            ["GET", `/v1/assets/${name}`],
            ["DELETE", `/v1/assets/${name}`],
          ]),
    ];
    for (const [method = "", path = ""] of calls) {
      const error = await expectError(await stranger.call(method, path), 404, "RESOURCE_NOT_FOUND");
      expect(error.message).toBe("The asset does not exist.");
    }
  }
  expect(await getAsset(owner, id)).toMatchObject({ status: "confirmed", is_public: false });
});

test("confirm rejects a file that does not have the declared image type", async () => {
  const workspace = await newWorkspace();
  const { id, upload } = await presignAsset(workspace, TEXT, { filename: "a.png", mime_type: "image/png" });
  await uploadFile(upload);
  const rejected = await workspace.call("POST", `/v1/assets/${id}/confirm`);
  const error = await expectError(rejected, 400, "VALIDATION_ERROR");
  expect(error.message).toBe("mime_type: is image/png, but the uploaded bytes are not");
  expect(await getAsset(workspace, id)).toMatchObject({ status: "pending" });
});

test("confirm checks a file by its first 64 bytes", async () => {
  const workspace = await newWorkspace();
  const confirm = async (spaces: number) => {
    const bytes = new TextEncoder().encode(`${" ".repeat(spaces)}no markup`);
    const fields = { filename: "a.svg", mime_type: "image/svg+xml" };
    const { id, upload } = await presignAsset(workspace, bytes, fields);
    await uploadFile(upload, bytes);
    return (await workspace.call("POST", `/v1/assets/${id}/confirm`)).status;
  };
  expect([await confirm(63), await confirm(64)]).toEqual([400, 200]);
});

test("an upload for a deleted asset is rejected with 404", async () => {
  const workspace = await newWorkspace();
  const { id, upload } = await presignAsset(workspace);
  await expectData(await workspace.call("DELETE", `/v1/assets/${id}`), deletedResponse);
  await expectError(await uploadFile(upload), 404, "RESOURCE_NOT_FOUND");
  expect(await listFileKeys(workspace, id)).toEqual([]);
});

test("a deletion during an upload or a publish request removes the file", async () => {
  const workspace = await newWorkspace();
  const { id, upload } = await presignAsset(workspace);
  const body = new ReadableStream({
    async start(controller) {
      controller.enqueue(TEXT.subarray(0, 8));
      await expectData(await workspace.call("DELETE", `/v1/assets/${id}`), deletedResponse);
      controller.enqueue(TEXT.subarray(8));
      controller.close();
    },
  });
  await expectError(await uploadFile(upload, body), 404, "RESOURCE_NOT_FOUND");
  expect(await listFileKeys(workspace, id)).toEqual([]);

  const { id: other } = await createConfirmedAsset(workspace);
  const late = {
    async put(...args: Parameters<R2Bucket["put"]>) {
      await expectData(await workspace.call("DELETE", `/v1/assets/${other}`), deletedResponse);
      return files.public.put(...args);
    },
    delete: (keys: string[]) => files.public.delete(keys),
  };
  const env = { ...workerEnv, PUBLIC_FILES: late as unknown as R2Bucket };
  const publish = await workspace.call("POST", `/v1/assets/${other}/publish`, { env });
  await expectError(publish, 404, "RESOURCE_NOT_FOUND");
  expect(await listFileKeys(workspace, other)).toEqual([]);
});

test("sweepAssets removes a file that a deletion failed to remove", async () => {
  const workspace = await newWorkspace();
  const { id, url } = await createPublishedAsset(workspace);
  vi.spyOn(console, "error").mockReturnValue();
  const failing = { delete: () => Promise.reject(new Error("R2 is down")) };
  const env = { ...workerEnv, PUBLIC_FILES: failing as unknown as R2Bucket };
  await expectData(await workspace.call("DELETE", `/v1/assets/${id}`, { env }), deletedResponse);
  expect((await fetchFile(url)).status).toBe(200);
  await sweepAssets(openDatabase(workspace.shard), files, Date.now());
  expect((await fetchFile(url)).status).toBe(404);
});

test("sweepAssets removes a file that was written after the deletion", async () => {
  const workspace = await newWorkspace();
  const { id, url } = await createPublishedAsset(workspace);
  await expectData(await workspace.call("DELETE", `/v1/assets/${id}`), deletedResponse);
  const database = openDatabase(workspace.shard);
  await sweepAssets(database, files, Date.now());
  await files.public.put(`${id}/notes.txt`, TEXT);
  await sweepAssets(database, files, Date.now());
  const readDeletion = () =>
    workspace.shard
      .prepare("SELECT deleted_at FROM deleted_assets WHERE asset_id = ?")
      .bind(id)
      .first<number>("deleted_at");
  const deletedMs = (await readDeletion()) as number;
  await sweepAssets(database, files, deletedMs + 2 * HOUR_MS - 1);
  expect((await fetchFile(url)).status).toBe(200);
  await sweepAssets(database, files, deletedMs + 2 * HOUR_MS);
  expect((await fetchFile(url)).status).toBe(404);
  expect(await readDeletion()).toBeNull();
});

test("sweepAssets removes assets pending for 24 hours, with files and storage, but no confirmed asset", async () => {
  const workspace = await newWorkspace();
  const other = await newWorkspace("business", workspace.shardNumber);
  const abandoned = await presignAsset(workspace);
  await uploadFile(abandoned.upload);
  const [notUploaded, otherPending, confirmed] = [
    await presignAsset(workspace),
    await presignAsset(other),
    await createConfirmedAsset(workspace),
  ];
  // The move handles the rows of a workspace that is moving.
  const moving = await newWorkspace("business", workspace.shardNumber);
  const { id: movedId } = await presignAsset(moving);
  await workspace.shard
    .prepare("INSERT INTO transits (workspace_id, epoch, state) VALUES (?, 1, 'fenced')")
    .bind(moving.id)
    .run();
  const database = openDatabase(workspace.shard);
  await sweepAssets(database, files, Date.parse(abandoned.created_at) + DAY_MS - 1);
  expect(await getAsset(workspace, abandoned.id)).toMatchObject({ status: "pending" });

  const lastMs = Math.max(...[notUploaded, otherPending].map(({ created_at }) => Date.parse(created_at)));
  const sweeps = [0, 1].map(() => sweepAssets(database, files, lastMs + DAY_MS));
  await Promise.all(sweeps);
  for (const [owner, { id }] of [
    [workspace, abandoned],
    [workspace, notUploaded],
    [other, otherPending],
  ] as const) {
    await expectError(await owner.call("GET", `/v1/assets/${id}`), 404, "RESOURCE_NOT_FOUND");
    expect(await listFileKeys(owner, id)).toEqual([]);
  }
  expect(await getAsset(workspace, confirmed.id)).toMatchObject({ status: "confirmed" });
  expect([await readStorageBytes(workspace), await readStorageBytes(other)]).toEqual([TEXT.byteLength, 0]);
  await sweepAssets(database, files, Date.now() + DAY_MS);
  const moved = await workspace.shard.prepare("SELECT id FROM assets WHERE id = ?").bind(movedId).all();
  expect(moved.results).toHaveLength(1);
  expect(await getAsset(workspace, confirmed.id)).toMatchObject({ status: "confirmed" });
  await workspace.shard.prepare("DELETE FROM transits WHERE workspace_id = ?").bind(moving.id).run();
});

test("parallel operations on one asset leave its state, files and storage consistent", async () => {
  const workspace = await newWorkspace("enterprise");
  for (let round = 0; round < 12; round++) {
    const { id, upload } = await presignAsset(workspace);
    const act = (action: string) => () => workspace.call("POST", `/v1/assets/${id}/${action}`);
    const remove = () => workspace.call("DELETE", `/v1/assets/${id}`);
    const uploads = [() => uploadFile(upload), () => uploadFile(upload, "other bytes here")];
    const before = round % 2 === 0 ? [] : [uploads[0], act("confirm")];
    for (const step of before) await step?.();
    const acts = [...uploads, act("confirm"), act("publish"), act("confirm"), act("publish")];
    if (round % 3 > 0) acts.splice(round % acts.length, 0, remove);
    const responses = await Promise.all(acts.map((step) => step()));
    expect(Math.max(...responses.map(({ status }) => status))).toBeLessThan(500);

    const found = await workspace.call("GET", `/v1/assets/${id}`);
    if (found.status === 404) {
      expect(await listFileKeys(workspace, id)).toEqual([]);
    } else {
      const { data } = await expectData(found, assetResponse);
      expect(await listFileKeys(workspace, id)).toHaveLength(data.is_public ? 2 : 1);
      await remove();
    }
    expect(await readStorageBytes(workspace)).toBe(0);
  }
});
