import { presignBody } from "../../assets/assets.schema.ts";
import { confirmAsset, presentAsset, presignAsset, publishAsset } from "../../assets/assets.ts";
import { buildPrivateFileKey } from "../../assets/storage.ts";
import { createPageBody } from "../../bio/bio.schema.ts";
import { createPage, setPagePublished } from "../../bio/bio.ts";
import { MINUTE_MS } from "../../core/time.ts";
import { openDatabase } from "../../db/database.ts";
import { createDomain } from "../../domains/claim-host.ts";
import { createDomainBody } from "../../domains/domains.schema.ts";
import { formatShortUrl } from "../../env.ts";
import { createTemplateBody } from "../../qr/templates.schema.ts";
import { createTemplate } from "../../qr/templates.ts";
import { createWebhook, deriveSecretKey } from "../../webhooks/endpoints.ts";
import { createWebhookBody } from "../../webhooks/webhooks.schema.ts";
import { DEMO_PAGES, type DemoPage } from "./demo-pages.ts";
import {
  DEMO_DOMAINS,
  DEMO_ENDPOINTS,
  DEMO_FILES,
  DEMO_TEMPLATES,
  type DemoEndpoint,
  type DemoFile,
} from "./demo-resources.ts";
import type { DemoStep, DemoWorld } from "./demo-world.ts";
import { deliverAll } from "./write-deliveries.ts";

/** Returns the steps that create everything except the links. */
export function planResources(world: DemoWorld): DemoStep[] {
  return [
    ...DEMO_FILES.map((file) => planFile(world, file)),
    ...planTemplates(world),
    ...DEMO_ENDPOINTS.flatMap((endpoint) => planEndpoint(world, endpoint)),
    ...planDomains(world),
    ...DEMO_PAGES.map((page) => planPage(world, page)),
  ];
}

function planFile(world: DemoWorld, { filename, mime_type, tags, age, isPublic, read }: DemoFile): DemoStep {
  const atMs = world.workTime(age);
  return {
    atMs,
    async run() {
      const { storage } = world;
      const bytes = read(world.request.files);
      const body = presignBody.parse({ filename, mime_type, tags, file_size: bytes.byteLength });
      const tenant = world.as("editor", "presignUpload", atMs);
      const { asset } = await presignAsset(tenant, body, world.request.secrets.UPLOAD_SECRET);
      const options = { httpMetadata: { contentType: asset.mimeType } };
      await storage.PRIVATE_FILES.put(buildPrivateFileKey(asset), bytes, options);
      const buckets = { private: storage.PRIVATE_FILES, public: storage.PUBLIC_FILES };
      await confirmAsset(world.as("editor", "confirmUpload", atMs), buckets, asset.id);
      if (!isPublic) return;
      const published = await publishAsset(world.as("editor", "publishAsset", atMs), buckets, asset.id);
      world.fileUrls.set(filename, presentAsset(tenant, published).public_url ?? "");
    },
  };
}

function planTemplates(world: DemoWorld): DemoStep[] {
  return DEMO_TEMPLATES.map(({ name, description, age, design }) => {
    const atMs = world.workTime(age);
    return {
      atMs,
      async run() {
        const tenant = world.as("editor", "createQrTemplate", atMs);
        const body = createTemplateBody.parse({ name, description, design: design(getFileUrl(world)) });
        await createTemplate(tenant, world.storage.PUBLIC_FILES, body);
      },
    };
  });
}

/** Returns the steps that create an endpoint and, at the end, deliver all events since its creation. */
function planEndpoint(world: DemoWorld, endpoint: DemoEndpoint): DemoStep[] {
  const { path, description, events, age } = endpoint;
  const atMs = world.workTime(age);
  let webhookId = "";
  const creation = async () => {
    const key = await deriveSecretKey(world.request.secrets);
    const url = world.request.receiverUrl + path;
    const body = createWebhookBody.parse({ url, description, events });
    const { webhook } = await createWebhook(world.as("owner", "createWebhook", atMs), key, body);
    webhookId = webhook.id;
  };
  return [
    { atMs, run: creation },
    { atMs: world.nowMs, run: () => deliverAll(world, webhookId, endpoint) },
  ];
}

function planDomains(world: DemoWorld): DemoStep[] {
  return DEMO_DOMAINS(world.settings.shortHost).map(({ age, ...fields }) => {
    const atMs = world.workTime(age);
    return {
      atMs,
      async run() {
        const shards = [world.storage.SHARD_0, world.storage.SHARD_1].map(openDatabase);
        const tenant = world.as("owner", "createDomain", atMs);
        await createDomain(tenant, shards, createDomainBody.parse(fields));
      },
    };
  });
}

function planPage(world: DemoWorld, page: DemoPage): DemoStep {
  const { title, slug, description, age, data, audience, daily, peak, clicks } = page;
  const atMs = world.workTime(age);
  return {
    atMs,
    async run() {
      const [hostname] = world.workspace.hostnames;
      const link = (code: string) => formatShortUrl(world.settings, hostname, code);
      const page_data = data({ file: getFileUrl(world), link });
      const body = createPageBody.parse({ title, slug, description, page_data });
      const created = await createPage(world.as("editor", "createBioPage", atMs), body);
      const publishedAtMs = atMs + 20 * MINUTE_MS;
      const tenant = world.as("owner", "publishBioPage", publishedAtMs);
      const { id: pageId, pageData } = await setPagePublished(tenant, created.id, true);
      const attraction = { audience, fromMs: publishedAtMs };
      world.pages.push({ pageId, link: null, ...attraction, daily, peak });
      clicks.forEach((share, index) => {
        const url = pageData.links?.[index]?.url;
        if (url === undefined) return;
        const ownPeak = peak && { age: peak.age, visits: peak.visits * share };
        world.pages.push({ pageId, link: url, ...attraction, daily: daily * share, peak: ownPeak });
      });
    },
  };
}

/** Returns a function that returns the URL of a published file by its name. */
function getFileUrl({ fileUrls }: DemoWorld): (name: string) => string {
  return (name) => {
    const url = fileUrls.get(name);
    if (url === undefined) throw new Error(`the file ${name} is not published yet`);
    return url;
  };
}
