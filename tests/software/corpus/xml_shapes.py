"""Shapes of manifests in XML: how tools and people write them."""

from xml.sax.saxutils import escape

from tests.software.corpus.projects import Project
from tests.software.corpus.shape import ALL, AUTHOR, LICENCE, NEEDS, REPOSITORY, VERSION, Shape


def _pom(p: Project) -> str:
    developers = "".join(
        f"""
    <developer>
      <name>{each.name}</name>
      <email>{each.email}</email>
      <roles><role>developer</role></roles>
    </developer>"""
        for each in p.people
    )
    return f"""<?xml version="1.0" encoding="UTF-8"?>
<project xmlns="http://maven.apache.org/POM/4.0.0"
         xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance">
  <modelVersion>4.0.0</modelVersion>
  <groupId>org.example.{p.name}</groupId>
  <artifactId>{p.name}-core</artifactId>
  <version>${{revision}}</version>
  <name>{escape(p.title)} :: Core</name>
  <description>{escape(p.text)}</description>
  <url>{p.homepage}</url>
  <inceptionYear>2012</inceptionYear>
  <properties>
    <revision>{p.version}</revision>
    <quill.version>2.0</quill.version>
  </properties>
  <licenses>
    <license><name>{p.licence}</name><url>{p.homepage}/license</url></license>
  </licenses>
  <developers>{developers}
  </developers>
  <scm>
    <connection>scm:git:{p.repository}.git</connection>
    <url>{p.repository}</url>
  </scm>
  <issueManagement><system>GitHub</system><url>{p.issues}</url></issueManagement>
  <dependencies>
    <dependency>
      <groupId>org.quill</groupId><artifactId>quill</artifactId>
      <version>${{quill.version}}</version>
    </dependency>
    <dependency>
      <groupId>junit</groupId><artifactId>junit</artifactId><version>4.13</version>
      <scope>test</scope>
    </dependency>
  </dependencies>
</project>
"""


def _child_pom(p: Project) -> str:
    return f"""<m:project xmlns:m="http://maven.apache.org/POM/4.0.0">
  <m:parent>
    <m:groupId>org.example</m:groupId><m:artifactId>parent</m:artifactId>
    <m:version>{p.version}</m:version>
  </m:parent>
  <m:artifactId>{p.name}</m:artifactId>
  <m:scm><m:developerConnection>scm:git:git@github.com:x/{p.name}.git</m:developerConnection>
  </m:scm>
  <m:dependencies>
    <m:dependency>
      <m:groupId>${{project.groupId}}</m:groupId><m:artifactId>base</m:artifactId>
    </m:dependency>
  </m:dependencies>
</m:project>
"""


def _nuspec(p: Project) -> str:
    return f"""<?xml version="1.0" encoding="utf-8"?>
<package xmlns="http://schemas.microsoft.com/packaging/2013/05/nuspec.xsd">
  <metadata minClientVersion="3.3">
    <id>Example.{p.name.title()}</id>
    <version>{p.version}</version>
    <authors>{",".join(each.name for each in p.people)}</authors>
    <owners>Example</owners>
    <license type="expression">{p.licence}</license>
    <projectUrl>{p.homepage}</projectUrl>
    <repository type="git" url="{p.repository}.git" commit="abc" />
    <description>{escape(p.text)}</description>
    <releaseNotes>First.</releaseNotes>
    <copyright>© {p.people[0].name}</copyright>
    <tags>{p.keywords[0]} tools</tags>
    <dependencies>
      <group targetFramework="net6.0"><dependency id="Quill" version="[2.0, )" /></group>
      <group targetFramework="net8.0"><dependency id="Quill" version="[2.0, )" /></group>
    </dependencies>
  </metadata>
</package>
"""


def _old_nuspec(p: Project) -> str:
    return f"""<package><metadata>
  <id>{p.name}</id><version>{p.version}</version><title>{escape(p.title)}</title>
  <authors>{p.people[0].name}</authors>
  <licenseUrl>https://opensource.org/licenses/MIT</licenseUrl>
  <requireLicenseAcceptance>false</requireLicenseAcceptance>
  <summary>{escape(p.text)}</summary>
  <dependencies><dependency id="Newtonsoft.Json" version="9.0.1" /></dependencies>
</metadata></package>
"""


def _appstream(p: Project) -> str:
    return f"""<?xml version="1.0" encoding="UTF-8"?>
<component type="desktop-application">
  <id>org.example.{p.name.title().replace("-", "")}</id>
  <metadata_license>CC0-1.0</metadata_license>
  <project_license>{p.licence}</project_license>
  <name>{escape(p.title)}</name>
  <name xml:lang="de">Ein Name</name>
  <summary>{escape(" ".join(p.text.split()))}</summary>
  <developer id="org.example"><name>{p.people[0].name}</name></developer>
  <description>
    <p>{escape(p.text)}</p>
    <p xml:lang="de">Ein Text.</p>
    <ul><li>maps</li><li>tables</li></ul>
  </description>
  <url type="homepage">{p.homepage}</url>
  <url type="bugtracker">{p.issues}</url>
  <url type="vcs-browser">{p.repository}</url>
  <categories><category>Science</category></categories>
  <keywords><keyword>{p.keywords[0]}</keyword></keywords>
  <releases>
    <release version="{p.version}" date="{p.date}"/>
    <release version="0.0.1" date="2009-01-01"/>
  </releases>
  <content_rating type="oars-1.1"/>
</component>
"""


def _old_appstream(p: Project) -> str:
    return f"""<application>
  <id type="desktop">{p.name}.desktop</id>
  <project_license>{p.licence}</project_license>
  <name>{p.name}</name>
  <developer_name>{p.people[0].name}</developer_name>
  <url type="homepage">{p.homepage}</url>
  <updatecontact>{p.people[0].email}</updatecontact>
</application>
"""


def _sword(p: Project) -> str:
    people = "".join(
        f"""
  <codemeta:author>
    <codemeta:name>{each.name}</codemeta:name>
    <codemeta:email>{each.email}</codemeta:email>
    <codemeta:affiliation>Example University</codemeta:affiliation>
  </codemeta:author>"""
        for each in p.people
    )
    return f"""<?xml version="1.0"?>
<atom:entry xmlns:atom="http://www.w3.org/2005/Atom"
            xmlns:codemeta="https://doi.org/10.5063/SCHEMA/CodeMeta-2.0">
  <atom:title>{escape(p.title)}</atom:title>
  <atom:updated>2020-01-01</atom:updated>
  <codemeta:description>{escape(p.text)}</codemeta:description>
  <codemeta:version>{p.version}</codemeta:version>
  <codemeta:dateCreated>2019-7-5</codemeta:dateCreated>
  <codemeta:codeRepository>{p.repository}</codemeta:codeRepository>
  <codemeta:license>
    <codemeta:name>{p.licence}</codemeta:name>
  </codemeta:license>{people}
</atom:entry>
"""


XML_SHAPES = (
    Shape("maven", ALL, _pom),
    Shape("maven", (REPOSITORY, VERSION, NEEDS), _child_pom),
    Shape("nuget", ALL, _nuspec),
    Shape("nuget", (LICENCE, AUTHOR, VERSION, NEEDS), _old_nuspec),
    Shape("appstream", (LICENCE, AUTHOR, REPOSITORY, VERSION), _appstream),
    Shape("appstream", (LICENCE, AUTHOR), _old_appstream),
    Shape("sword-codemeta", (LICENCE, AUTHOR, REPOSITORY, VERSION), _sword),
)
"""The shapes of formats in XML."""
