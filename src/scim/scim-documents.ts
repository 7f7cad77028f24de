// Pure: no I/O, clock or randomness.
import { PAGE_MAX } from "./list-response.ts";
import { GROUP_KIND, type ResourceKind, USER_KIND } from "./patch-path.ts";
import { type Attribute, COMMON_ATTRIBUTES } from "./scim-attributes.ts";

/** Builds the discovery documents, which describe the supported features (RFC 7643 sections 5 to 7). */

const CONFIG_SCHEMA = "urn:ietf:params:scim:schemas:core:2.0:ServiceProviderConfig";
const TYPE_SCHEMA = "urn:ietf:params:scim:schemas:core:2.0:ResourceType";
const DESCRIBED_SCHEMA = "urn:ietf:params:scim:schemas:core:2.0:Schema";

/** Builds the document of supported protocol features. */
export function buildServiceConfig(baseUrl: string, docsUrl: string) {
  return {
    schemas: [CONFIG_SCHEMA],
    documentationUri: docsUrl,
    patch: { supported: true },
    bulk: { supported: false, maxOperations: 0, maxPayloadSize: 0 },
    filter: { supported: true, maxResults: PAGE_MAX },
    changePassword: { supported: false },
    sort: { supported: false },
    etag: { supported: false },
    authenticationSchemes: [
      {
        type: "oauthbearertoken",
        name: "Bearer token",
        description: "Token of the workspace, in the header Authorization.",
        specUri: "https://www.rfc-editor.org/info/rfc6750",
        primary: true,
      },
    ],
    meta: { resourceType: "ServiceProviderConfig", location: `${baseUrl}/ServiceProviderConfig` },
  };
}

/** Builds the descriptions of the resource types User and Group. */
export function buildResourceTypes(baseUrl: string) {
  return [USER_KIND, GROUP_KIND].map(({ name, schema }) => ({
    schemas: [TYPE_SCHEMA],
    id: name,
    name,
    endpoint: `/${name}s`,
    schema,
    meta: { resourceType: "ResourceType", location: `${baseUrl}/ResourceTypes/${name}` },
  }));
}

/** Builds the schemas of users and groups. */
export function buildSchemas(baseUrl: string) {
  return [USER_KIND, GROUP_KIND].map((kind) => ({
    schemas: [DESCRIBED_SCHEMA],
    id: kind.schema,
    name: kind.name,
    description: kind.name === "User" ? "Member of the workspace" : "Group of members",
    attributes: listOwnAttributes(kind).map(describeAttribute),
    meta: { resourceType: "Schema", location: `${baseUrl}/Schemas/${kind.schema}` },
  }));
}

/**
 * Lists a schema's own attributes. Common attributes aren't included, because all resources have them (RFC
 * 7643 section 3.1).
 */
function listOwnAttributes({ attributes }: ResourceKind): Attribute[] {
  return attributes.filter((attribute) => !COMMON_ATTRIBUTES.includes(attribute));
}

function describeAttribute(attribute: Attribute): Record<string, unknown> {
  const { name, type, description, subAttributes, referenceTypes } = attribute;
  return {
    name,
    type,
    multiValued: attribute.multiValued ?? false,
    description,
    required: attribute.required ?? false,
    caseExact: attribute.caseExact ?? false,
    mutability: attribute.mutability ?? "readWrite",
    returned: "default",
    uniqueness: attribute.uniqueness ?? "none",
    ...(referenceTypes === undefined ? {} : { referenceTypes }),
    ...(subAttributes === undefined ? {} : { subAttributes: subAttributes.map(describeAttribute) }),
  };
}
