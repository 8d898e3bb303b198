<?xml version="1.0" encoding="UTF-8"?>
<!-- A record as Dublin Core, which clients of SRU expect. -->
<xsl:stylesheet version="1.0" xmlns:xsl="http://www.w3.org/1999/XSL/Transform"
    xmlns:a="http://alvis.info/enriched/" xmlns:dc="http://purl.org/dc/elements/1.1/"
    xmlns:srw_dc="info:srw/schema/1/dc-schema" exclude-result-prefixes="a">
  <xsl:output method="xml" encoding="UTF-8"/>
  <xsl:template match="/">
    <srw_dc:dc>
      <xsl:for-each select="//a:metaData/a:meta[@name='title']"><dc:title><xsl:value-of select="."/></dc:title></xsl:for-each>
      <xsl:for-each select="//a:metaData/a:meta[starts-with(@name, 'dc:')]">
        <xsl:element name="{@name}" namespace="http://purl.org/dc/elements/1.1/"><xsl:value-of select="."/></xsl:element>
      </xsl:for-each>
    </srw_dc:dc>
  </xsl:template>
</xsl:stylesheet>
